package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.github.steadyjobs.definition.JobDefinitionException;
import io.github.steadyjobs.definition.JobRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * How the recurring jobs of an application are read and handled.
 *
 * @param application the name of the application. What it no longer declares is forgotten
 * once its last process has gone that does, and nothing of other applications
 * @param built when this release was built, {@code null} if that is not known. Of two
 * releases that run side by side, the definitions of the later one count
 * @param overrides by the name of a recurring job, texts in place of attributes of its
 * annotation, whose names are in lower case with hyphens
 * @param placeholders resolves placeholders in texts of annotations
 * @param lateAfter from when on the latest tick of a recurring job is missed
 */
public record RecurringSettings(String application, @Nullable Instant built, Map<String, Map<String, String>> overrides,
		UnaryOperator<String> placeholders, Duration lateAfter) {

	/** No overrides and no placeholders; a tick is missed after a minute. */
	public static final RecurringSettings DEFAULTS = new RecurringSettings("", null, Map.of(), UnaryOperator.identity(),
			Duration.ofMinutes(1));

	public RecurringSettings {
		overrides = Map.copyOf(overrides);
		Assert.isTrue(lateAfter.compareTo(Schedule.PRECISION) >= 0,
				() -> "'lateAfter' must be 1 s or more, and is " + lateAfter);
	}

	/**
	 * Return what annotations declare, without what is switched off.
	 * @param registry knows the jobs
	 * @return the recurring jobs, in no order
	 * @throws JobDefinitionException if something cannot be so; it has all problems
	 */
	public Collection<RecurringJob> declared(JobRegistry registry) {
		return RecurringReader.read(registry, this.overrides, this.placeholders);
	}

}

package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.github.steadyjobs.definition.JobDefinitionException;
import io.github.steadyjobs.definition.JobRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * How the recurring jobs of an application are read and handled.
 *
 * @param application the name of the application. A recurring job that it no longer
 * declares is forgotten once the last process that declares it has gone; other
 * applications keep theirs
 * @param built when this release was built, {@code null} if that is not known. If two
 * releases run side by side, the definitions of the one built later count
 * @param overrides by name of the recurring job, texts that replace attributes of its
 * annotation; attributes are in lower case with hyphens
 * @param placeholders resolves placeholders in texts of annotations
 * @param lateAfter how late the latest tick of a recurring job may be before it counts as
 * missed
 */
public record RecurringSettings(String application, @Nullable Instant built, Map<String, Map<String, String>> overrides,
		UnaryOperator<String> placeholders, Duration lateAfter) {

	/** No overrides and no placeholders; a tick is missed after a minute. */
	public static final RecurringSettings DEFAULTS = new RecurringSettings("", null, Map.of(), UnaryOperator.identity(),
			Duration.ofMinutes(1));

	public RecurringSettings {
		overrides = Map.copyOf(overrides);
		Assert.isTrue(lateAfter.compareTo(Schedule.PRECISION) >= 0,
				() -> "'lateAfter' must be 1 s or more, but is " + lateAfter);
	}

	/**
	 * Return what annotations declare by name, except what is switched off.
	 * @throws JobDefinitionException if something is invalid; it lists all problems
	 */
	public List<RecurringJob> declared(JobRegistry registry) {
		return RecurringReader.read(registry, this.overrides, this.placeholders);
	}

}

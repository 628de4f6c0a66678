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
 * Settings for reading and handling the recurring jobs of an application.
 *
 * @param application the name of the application. A recurring job that the application no
 * longer declares is forgotten when the last process that declares it has ended;
 * recurring jobs of other applications are kept
 * @param built the time at which this release was built, {@code null} if unknown. If two
 * releases run side by side, the definitions in the later build are in effect
 * @param overrides texts that replace attributes of annotations, by the name of the
 * recurring job and the name of the attribute in lower case with hyphens
 * @param placeholders resolves placeholders in texts of annotations
 * @param lateAfter how late the latest tick of a recurring job may be before it counts as
 * missed
 */
public record RecurringSettings(String application, @Nullable Instant built, Map<String, Map<String, String>> overrides,
		UnaryOperator<String> placeholders, Duration lateAfter) {

	public RecurringSettings {
		overrides = Map.copyOf(overrides);
		Assert.isTrue(lateAfter.compareTo(Schedule.PRECISION) >= 0,
				() -> "'lateAfter' must be 1 s or more, but is " + lateAfter);
	}

	/**
	 * Return the recurring jobs that annotations declare, sorted by name, except those
	 * that are switched off.
	 * @throws JobDefinitionException if any recurring job is invalid; the message lists
	 * all problems
	 */
	public List<RecurringJob> declared(JobRegistry registry) {
		return RecurringReader.read(registry, this.overrides, this.placeholders);
	}

}

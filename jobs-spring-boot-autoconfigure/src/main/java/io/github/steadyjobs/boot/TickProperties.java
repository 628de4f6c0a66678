package io.github.steadyjobs.boot;

import java.time.Duration;

import org.springframework.boot.context.properties.bind.DefaultValue;

import static io.github.steadyjobs.boot.JobsPropertyException.throwUnless;

/**
 * Settings for the ticks of recurring jobs.
 *
 * @param lateAfter Time after which a tick that has not been handled counts as missed and
 * is reported by the health endpoint and the doctor.
 */
record TickProperties(@DefaultValue("1m") Duration lateAfter) {

	private static final Duration LONGEST = Duration.ofDays(365);

	TickProperties {
		throwUnless(lateAfter.toSeconds() >= 1 && lateAfter.compareTo(LONGEST) <= 0, "steadyjobs.ticks.late-after",
				lateAfter, "Set it to 1s to 365d, as in '1m'.");
	}

}

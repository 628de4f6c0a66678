package io.github.steadyjobs.boot;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import static io.github.steadyjobs.boot.JobsPropertyException.throwUnless;

/**
 * Configuration properties for the health of background jobs.
 *
 * @param latencyLimit Maximum time that the oldest job of a queue may have waited since
 * it became ready or due. If a queue exceeds this limit, health is OUT_OF_SERVICE.
 * @param latencyLimits Latency limits of individual queues, which override the general
 * limit. 0 means no limit.
 */
@ConfigurationProperties("management.health.jobs")
record JobsHealthProperties(@Nullable Duration latencyLimit, @DefaultValue Map<String, Duration> latencyLimits) {

	private static final String PREFIX = "management.health.jobs.";

	JobsHealthProperties {
		throwUnless(latencyLimit == null || latencyLimit.toMillis() > 0, PREFIX + "latency-limit", latencyLimit,
				"Set it to 1ms or more, as in '10m', or remove it to set no limit.");
		latencyLimits.forEach((queue, limit) -> throwUnless(!limit.isNegative(), PREFIX + "latency-limits." + queue,
				limit, "Set it to 0s for no limit, or more, as in '2h'."));
	}

	/**
	 * Return the latency limit of a queue: its own limit if it has one, otherwise the
	 * general limit.
	 * @return the limit; {@code null} if there is no limit
	 */
	@Nullable Duration latencyLimitOf(String queue) {
		Duration own = this.latencyLimits.get(queue);
		if (own != null) {
			return own.isZero() ? null : own;
		}
		return this.latencyLimit;
	}

}

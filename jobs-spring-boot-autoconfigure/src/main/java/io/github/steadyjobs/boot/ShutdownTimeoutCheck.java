package io.github.steadyjobs.boot;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Warns at start-up if Spring would stop waiting for the shutdown before running jobs
 * have had the full shutdown timeout. Jobs that are cut off in this way cannot be put
 * back into their queue.
 */
final class ShutdownTimeoutCheck {

	/**
	 * Time needed after the shutdown timeout to put back, interrupt and report jobs.
	 */
	private static final Duration REST = Duration.ofSeconds(5);

	private static final Duration SPRING_DEFAULT = Duration.ofSeconds(30);

	private static final Logger logger = LoggerFactory.getLogger(ShutdownTimeoutCheck.class);

	private ShutdownTimeoutCheck() {
	}

	static void warn(JobsProperties properties, Environment environment) {
		Duration phase = Binder.get(environment)
			.bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
			.orElse(SPRING_DEFAULT);
		Duration needed = properties.shutdownTimeout().plus(REST);
		if (phase.compareTo(needed) < 0) {
			logger
				.warn("Running jobs would get {} to end at a shutdown, but Spring waits for only {}, and what it cuts "
						+ "off is not put back in its queue. Set 'spring.lifecycle.timeout-per-shutdown-phase' to {} or "
						+ "more, or 'steadyjobs.shutdown-timeout' to {} or less", text(properties.shutdownTimeout()),
						text(phase), text(needed),
						text((phase.compareTo(REST) > 0) ? phase.minus(REST) : Duration.ZERO));
		}
	}

	private static String text(Duration duration) {
		return (duration.toMillisPart() == 0) ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
	}

}

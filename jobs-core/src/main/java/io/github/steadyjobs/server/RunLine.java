package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.Locale;

import io.github.steadyjobs.JobOutcome;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Begins log lines about runs. For structured logs, the outcome and the duration of the
 * run are added as key-values, if they are known. The log context of a run contains the
 * other key-values, which must not be added, because no key may occur twice in a line.
 */
final class RunLine {

	private RunLine() {
	}

	/**
	 * Begin a line.
	 * @param outcome how the run ended, {@code null} if that is not decided yet
	 * @param ran how long the run took, {@code null} if it has not started
	 */
	static LoggingEventBuilder at(Logger logger, Level level, @Nullable JobOutcome outcome, @Nullable Duration ran) {
		LoggingEventBuilder line = logger.atLevel(level);
		line = (outcome != null) ? line.addKeyValue("jobOutcome", text(outcome)) : line;
		return (ran != null) ? line.addKeyValue("jobDurationMillis", ran.toMillis()) : line;
	}

	static String text(JobOutcome outcome) {
		return outcome.name().toLowerCase(Locale.ROOT);
	}

}

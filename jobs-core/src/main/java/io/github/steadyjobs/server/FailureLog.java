package io.github.steadyjobs.server;

import java.util.Map;

import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.server.Outcome.Failure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs failed runs, using the log context in which the exception was thrown.
 */
final class FailureLog {

	private static final Logger logger = LoggerFactory.getLogger(FailureLog.class);

	private FailureLog() {
	}

	/**
	 * Log the exception and the outcome for the job.
	 * @param logContext the log context, or {@code null} to use the current log context
	 */
	static void log(UnitOfWork job, Throwable thrown, Outcome outcome, @Nullable Map<String, String> logContext) {
		Map<String, String> present = MDC.getCopyOfContextMap();
		try {
			if (logContext != null) {
				MDC.setContextMap(logContext);
			}
			log(job, thrown, outcome);
		}
		catch (Throwable ex) {
			// Loggers call methods of the exception, which may throw other exceptions.
			logger.error("Job {} failed with a {} that cannot be logged", job, thrown.getClass().getName());
		}
		finally {
			MDC.setContextMap((present != null) ? present : Map.of());
		}
	}

	private static void log(UnitOfWork job, Throwable thrown, Outcome outcome) {
		if (outcome instanceof Outcome.Retry retry) {
			line(Level.WARN, job, outcome).setCause(thrown)
				.log("Job {} failed in attempt {} and runs again in {} s{}", job, attempt(job),
						retry.delay().toSeconds(), (retry.queue() != null) ? " in queue " + retry.queue() : "");
		}
		else if (outcome instanceof Outcome.Snoozed snoozed) {
			line(Level.INFO, job, outcome).log("Job {} is to run again in {}, as it asked for", job, snoozed.delay());
		}
		else if (outcome.kind() == JobOutcome.CANCELLED) {
			line(Level.INFO, job, outcome).setCause(thrown)
				.log("Job {} was cancelled, and has ended with the interrupt", job);
		}
		else if (outcome instanceof Outcome.Discarded discarded && discarded.failure().kind() == Failure.Kind.ATTEMPT) {
			line(Level.INFO, job, outcome).setCause(thrown)
				.log("Job {} failed in attempt {} and is discarded, as it was asked for", job, job.attempt());
		}
		else {
			line(Level.ERROR, job, outcome).setCause(thrown)
				.log("Job {} failed in attempt {} and is {}", job, attempt(job), RunLine.text(outcome.kind()));
		}
	}

	private static LoggingEventBuilder line(Level level, UnitOfWork job, Outcome outcome) {
		return RunLine.at(logger, level, outcome.kind(), job.ran());
	}

	private static String attempt(UnitOfWork job) {
		int most = job.maxAttempts();
		// A dead job that is retried manually can exceed its maximum number of attempts.
		return (job.attempt() > most || most == Integer.MAX_VALUE) ? Integer.toString(job.attempt())
				: job.attempt() + " of " + most;
	}

}

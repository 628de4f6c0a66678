package io.github.steadyjobs.server;

import java.util.Locale;
import java.util.Map;

import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.server.Outcome.Failure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

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
			logger.warn("Job {} failed in attempt {} and runs again in {} s{}", job, attempt(job),
					retry.delay().toSeconds(), (retry.queue() != null) ? " in queue " + retry.queue() : "", thrown);
		}
		else if (outcome instanceof Outcome.Snoozed snoozed) {
			logger.info("Job {} is to run again in {}, as it asked for", job, snoozed.delay());
		}
		else if (outcome.kind() == JobOutcome.CANCELLED) {
			logger.info("Job {} was cancelled, and has ended with the interrupt", job, thrown);
		}
		else if (outcome instanceof Outcome.Discarded discarded && discarded.failure().kind() == Failure.Kind.ATTEMPT) {
			logger.info("Job {} failed in attempt {} and is discarded, as it was asked for", job, job.attempt(),
					thrown);
		}
		else {
			logger.error("Job {} failed in attempt {} and is {}", job, attempt(job),
					outcome.kind().name().toLowerCase(Locale.ROOT), thrown);
		}
	}

	private static String attempt(UnitOfWork job) {
		int most = job.maxAttempts();
		// A dead job that is retried manually can exceed its maximum number of attempts.
		return (job.attempt() > most || most == Integer.MAX_VALUE) ? Integer.toString(job.attempt())
				: job.attempt() + " of " + most;
	}

}

package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

import io.github.steadyjobs.DiscardJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.KillJobException;
import io.github.steadyjobs.RetryDelay;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes how long a failed job waits before its next attempt: by the back-off of the
 * job, or else the back-off of the application, or else the default. Thread safe.
 */
final class RetryDelays {

	private static final Logger logger = LoggerFactory.getLogger(RetryDelays.class);

	/**
	 * The maximum delay. A longer delay would in effect mean never, and would exceed the
	 * range of dates.
	 */
	private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

	/** Replaces delays of zero or less, so that no job fails in a tight loop. */
	private static final Duration SHORTEST_DELAY = Duration.ofSeconds(1);

	private final RetryDelay ofApplication;

	RetryDelays(RetryDelay ofApplication) {
		this.ofApplication = ofApplication;
	}

	/**
	 * Return how long a job waits before its next attempt.
	 * @param own supplies the back-off of the job; {@code null} if the job has none
	 * @throws DiscardJobException if the job is to be discarded
	 * @throws KillJobException if the job is to become dead
	 */
	Duration delay(@Nullable Supplier<RetryDelay> own, int count, JobPayload job, Throwable failure) {
		Duration delay = (own != null) ? tried(own, "of its own", count, job, failure) : null;
		if (delay == null) {
			delay = tried(() -> this.ofApplication, "of the application", count, job, failure);
		}
		return (delay != null) ? delay : computed(RetryDelay.sidekiq(), count, job, failure);
	}

	private static @Nullable Duration tried(Supplier<RetryDelay> from, String which, int count, JobPayload job,
			Throwable failure) {
		try {
			return computed(from.get(), count, job, failure);
		}
		catch (DiscardJobException | KillJobException ex) {
			throw ex;
		}
		catch (Throwable ex) {
			// Errors are caught too; otherwise the job would not be settled and would
			// stay with this process.
			logger.warn("The retry delay {} of job {} could not be computed, taking the default", which, job, ex);
			return null;
		}
	}

	private static Duration computed(RetryDelay from, int count, JobPayload job, Throwable failure) {
		Duration delay = Objects.requireNonNull(from.delay(count, job, failure), "No delay was returned");
		Duration jitter = Objects.requireNonNull(from.jitter(count, job), "No jitter was returned");
		boolean positive = !delay.isNegative() && !delay.isZero();
		return bounded(bounded(positive ? delay : SHORTEST_DELAY).plus(bounded(jitter)));
	}

	static Duration bounded(Duration delay) {
		return (delay.compareTo(LONGEST_DELAY) < 0) ? delay : LONGEST_DELAY;
	}

}

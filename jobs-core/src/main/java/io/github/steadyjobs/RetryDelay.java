package io.github.steadyjobs;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import org.springframework.util.Assert;

/**
 * Decides how long a failed job waits before it is retried. The wait is a delay plus a
 * random jitter, which prevents jobs that failed together from being retried together.
 * Implementations must be thread safe.
 */
@FunctionalInterface
public interface RetryDelay {

	/**
	 * Return the delay before the next attempt, without the {@link #jitter}.
	 * @param count the number of retries so far, 0 after the first failure
	 * @param job the job, as it was before this failure
	 * @param failure the exception of the job
	 * @return the delay, to the millisecond; zero or less counts as one second
	 * @throws DiscardJobException to discard the job instead
	 * @throws KillJobException to count this failure as the job's last. Any other
	 * exception is logged. The application's {@code RetryDelay} then decides or, if that
	 * one has failed, {@link #sidekiq()}.
	 */
	Duration delay(int count, JobPayload job, Throwable failure);

	/**
	 * Return the jitter that is added to the delay. The default is {@code count + 1}
	 * seconds multiplied by a random number: 0 to 9, as in Sidekiq, or 0 to 29 for an
	 * ordered job, as in Lowkiq.
	 * @param count the number of retries so far, 0 after the first failure
	 * @param job the job that failed
	 * @return the jitter, to the millisecond, zero or more
	 */
	default Duration jitter(int count, JobPayload job) {
		int bound = (job.key() != null) ? 30 : 10;
		return Duration.ofSeconds(ThreadLocalRandom.current().nextLong(bound) * (count + 1L));
	}

	/**
	 * Return Sidekiq's delay: {@code count⁴ + 15} seconds. 25 retries span about 20 days.
	 * @return the default of this library
	 */
	static RetryDelay sidekiq() {
		// Other software writes payloads too, and a large count would cause an overflow.
		return (count, job, failure) -> Duration.ofSeconds((long) Math.pow(Math.min(count, 10_000), 4) + 15);
	}

	/**
	 * Return a strategy without jitter, for delays that are short or already random.
	 * @param delay the strategy that decides the delay
	 * @return a strategy that adds no jitter to this delay
	 */
	static RetryDelay exactly(RetryDelay delay) {
		Assert.notNull(delay, "'delay' must not be null");
		return new RetryDelay() {

			@Override
			public Duration delay(int count, JobPayload job, Throwable failure) {
				return delay.delay(count, job, failure);
			}

			@Override
			public Duration jitter(int count, JobPayload job) {
				return Duration.ZERO;
			}

		};
	}

}

package io.github.steadyjobs;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import org.springframework.util.Assert;

/**
 * Decides how long a failed job waits before it runs again: a delay, and a random jitter
 * that is added to it, so that jobs that failed together do not come back together. Must
 * be thread safe.
 */
@FunctionalInterface
public interface RetryDelay {

	/**
	 * Return the delay before the next attempt, without the {@link #jitter}.
	 * @param count number of retries so far, 0 after the first failure
	 * @param job the job, as it was before this failure
	 * @param failure the exception of the job
	 * @return the delay, to the millisecond; zero or less counts as one second
	 * @throws DiscardJobException to forget the job instead
	 * @throws KillJobException to count this failure as the job's last. Anything else
	 * that is thrown is logged, and {@link #sidekiq()} decides.
	 */
	Duration delay(int count, JobPayload job, Throwable failure);

	/**
	 * Return the jitter that is added to the delay: unless overridden, a random multiple
	 * of {@code count + 1} seconds below ten of them, as Sidekiq does; for an ordered job
	 * below thirty, as Lowkiq does.
	 * @param count number of retries so far, 0 after the first failure
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
		// Others write payloads too, and the power of a large count is not a number.
		return (count, job, failure) -> Duration.ofSeconds((long) Math.pow(Math.min(count, 10_000), 4) + 15);
	}

	/**
	 * Return a delay without jitter, for one that is short or random itself.
	 * @param delay decides the delay
	 * @return the same delay, taken as it is
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

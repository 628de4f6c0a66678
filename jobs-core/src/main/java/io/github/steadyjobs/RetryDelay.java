package io.github.steadyjobs;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Decides how long a failed job waits before it runs again. Must be thread safe.
 */
@FunctionalInterface
public interface RetryDelay {

	/**
	 * Return the delay before the next attempt.
	 * @param count number of retries so far, 0 after the first failure
	 * @param job the job, as it was before this failure
	 * @param failure what the job threw
	 * @return the delay, to the millisecond
	 * @throws DiscardJobException to forget the job instead
	 * @throws KillJobException to count this failure as the job's last. Whatever else is
	 * thrown is logged, and {@link #sidekiq()} decides.
	 */
	Duration delay(int count, JobPayload job, Throwable failure);

	/**
	 * Return Sidekiq's delay: {@code count⁴ + 15} seconds, and a random multiple of
	 * {@code count + 1} seconds below ten of them, so that jobs that failed together do
	 * not come back together. 25 retries span about 20 days.
	 * @return the default of this library
	 */
	static RetryDelay sidekiq() {
		return (count, job, failure) -> {
			long jitter = ThreadLocalRandom.current().nextLong(10) * (count + 1);
			return Duration.ofSeconds((long) Math.pow(count, 4) + 15 + jitter);
		};
	}

}

package io.github.steadyjobs.admin;

import java.time.Duration;
import java.time.Instant;

/**
 * A snapshot of a key of an ordered job that has payloads.
 *
 * @param key the key
 * @param job the job with the payloads of the key and the arguments of the next payload
 * @param since when the first of these payloads was enqueued or, if scheduled, when it is
 * due
 */
public record OrderedKey(String key, JobEntry job, Instant since) {

	/**
	 * Return how long the payloads of the key have been waiting.
	 * @return the waiting time; zero if the payloads are not due yet
	 */
	public Duration lag(Instant now) {
		return this.since.isBefore(now) ? Duration.between(this.since, now) : Duration.ZERO;
	}

}

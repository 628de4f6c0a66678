package io.github.steadyjobs.recurring;

import java.time.Instant;

/**
 * The clock of Redis, as this process knows it from the latest answer. Thread safe.
 */
final class RedisTime {

	// Before the first answer there is only the clock of this machine.
	private volatile Reading latest = new Reading(Instant.now(), System.nanoTime());

	/**
	 * Take note of the time in an answer that has just come.
	 */
	void set(Instant time) {
		this.latest = new Reading(time, System.nanoTime());
	}

	Instant now() {
		Reading reading = this.latest;
		return reading.time().plusNanos(System.nanoTime() - reading.nanos());
	}

	private record Reading(Instant time, long nanos) {

	}

}

package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The clock of Redis, as this process knows it from the latest answer. It is never ahead
 * of Redis, but for what the two clocks have drifted since. Thread safe.
 */
final class RedisTime {

	private final LongSupplier nanos;

	private volatile Reading latest;

	RedisTime() {
		this(System::nanoTime, Instant.now());
	}

	RedisTime(LongSupplier nanos, Instant start) {
		this.nanos = nanos;
		this.latest = new Reading(start, nanos.getAsLong());
	}

	/**
	 * Take note of the time in an answer that has just come.
	 */
	void set(Instant now) {
		this.latest = new Reading(now, this.nanos.getAsLong());
	}

	Instant now() {
		Reading reading = this.latest;
		return reading.time().plus(Duration.ofNanos(this.nanos.getAsLong() - reading.nanos()));
	}

	private record Reading(Instant time, long nanos) {

	}

}

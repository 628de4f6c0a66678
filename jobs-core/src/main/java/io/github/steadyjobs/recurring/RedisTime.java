package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The clock of Redis, as this process knows it from answers. Each answer tells a time
 * that has passed by when it is read, so the one that is furthest ahead is the best. What
 * clocks drift is reckoned so that the clock of Redis is ahead: then a later answer is
 * believed. Thread safe.
 */
final class RedisTime {

	/** Of quartz in servers, with some to spare: 1 in 20,000. */
	private static final long DRIFT = 20_000;

	/**
	 * Two answers that are further behind tell of a clock that was set. One was read
	 * late.
	 */
	private static final Duration SET = Duration.ofSeconds(1);

	private final LongSupplier nanos;

	private volatile Reading latest;

	private boolean wasFarBehind;

	private boolean wasTold;

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
	synchronized void set(Instant time) {
		Duration ahead = Duration.between(now(), time);
		boolean isFarBehind = ahead.plus(SET).isNegative();
		// Before the first answer there is only the clock of this machine.
		if (!this.wasTold || !ahead.isNegative() || (isFarBehind && this.wasFarBehind)) {
			correct(time);
		}
		this.wasFarBehind = isFarBehind && this.wasTold;
		this.wasTold = true;
	}

	/**
	 * Believe a time although it is behind what was known: something came too early.
	 */
	void correct(Instant time) {
		this.latest = new Reading(time, this.nanos.getAsLong());
	}

	Instant now() {
		Reading reading = this.latest;
		long passed = this.nanos.getAsLong() - reading.nanos();
		return reading.time().plusNanos(passed - passed / DRIFT);
	}

	private record Reading(Instant time, long nanos) {

	}

}

package io.github.steadyjobs.support;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A clock that a test can set forward or back.
 */
public final class MutableClock extends Clock {

	private volatile Instant now;

	/**
	 * Create a clock that stands still.
	 * @param now the time that it shows
	 */
	public MutableClock(Instant now) {
		this.now = now;
	}

	/**
	 * Set the clock forward, or back with a negative duration.
	 * @param duration by how much
	 */
	public void advance(Duration duration) {
		this.now = this.now.plus(duration);
	}

	@Override
	public Instant instant() {
		return this.now;
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		throw new UnsupportedOperationException();
	}

}

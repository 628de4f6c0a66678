package io.github.steadyjobs;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * Thrown by a job or an interceptor to run the job again later, because something that it
 * needs is not there yet. That is not a failure. It uses up no retry, leaves the record
 * of earlier failures unchanged, and is counted as {@linkplain JobOutcome#SNOOZED
 * snoozed}. A job may do so as often as it likes, and {@link Job#expires()} ends it.
 * <p>
 * Like any other exception it rolls back a transaction that it leaves. It must be thrown
 * itself: as the cause of another exception it has no effect.
 */
public class SnoozeJobException extends JobException {

	private final Duration delay;

	/**
	 * Create an exception.
	 * @param delay how long to wait, to the millisecond
	 * @throws IllegalArgumentException if that is less than 1 ms, or 100,000 years
	 */
	public SnoozeJobException(Duration delay) {
		super("The job is to run again after " + delay);
		Assert.notNull(delay, "'delay' must not be null");
		JobLimits.checkTime("delay", delay);
		this.delay = delay;
	}

	/** Return how long to wait. */
	public Duration delay() {
		return this.delay;
	}

}

package io.github.steadyjobs;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * Thrown by a job or an interceptor to run the job again later, because something that
 * the job needs is not available yet. This is not a failure: it uses up no retry, leaves
 * the record of earlier failures unchanged, and is counted as
 * {@linkplain JobOutcome#SNOOZED snoozed}. A job may snooze any number of times, until it
 * {@linkplain Job#expires() expires}.
 * <p>
 * Like any other exception, it rolls back a transaction that it propagates out of. It
 * must be thrown directly: as the cause of another exception it has no effect.
 */
public class SnoozeJobException extends JobException {

	private final Duration delay;

	/**
	 * Create an exception.
	 * @param delay how long to wait, to the millisecond
	 * @throws IllegalArgumentException if the delay is shorter than 1 ms, or is 100,000
	 * years or longer
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

package io.github.steadyjobs;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The failure of a run whose method took longer than its {@link Job#timeout()}. The
 * method was interrupted when that time had passed. This exception is thrown as soon as
 * the method has ended, whatever the method returned or threw, because work that was cut
 * short must not count as done.
 */
public class JobTimeoutException extends JobException {

	private final Duration timeout;

	/**
	 * Create an exception.
	 * @param message what took too long
	 * @param timeout the time that was allowed
	 * @param cause the exception that the method threw after the interrupt, or {@code
	 * null} if it returned
	 */
	public JobTimeoutException(String message, Duration timeout, @Nullable Throwable cause) {
		super(message, cause);
		this.timeout = timeout;
	}

	/** Return the time that was allowed. */
	public Duration timeout() {
		return this.timeout;
	}

}

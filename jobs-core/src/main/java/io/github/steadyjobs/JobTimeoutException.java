package io.github.steadyjobs;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The failure of a run whose method took longer than its {@link Job#timeout()}. It was
 * interrupted then, and this is thrown once it has returned, whatever it returned or
 * threw: work that was cut short must not count as done.
 */
public class JobTimeoutException extends JobException {

	private final Duration timeout;

	/**
	 * Create an exception.
	 * @param message what took too long
	 * @param timeout the time that was allowed
	 * @param cause what the method threw after the interrupt, or {@code null} if it
	 * returned
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

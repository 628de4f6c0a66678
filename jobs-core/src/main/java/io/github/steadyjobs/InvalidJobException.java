package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a request cannot become a job, or when stored arguments do not fit the
 * job's method. The message says what is wrong, where, and how to fix it.
 */
public class InvalidJobException extends JobException {

	public InvalidJobException(String message) {
		super(message);
	}

	public InvalidJobException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

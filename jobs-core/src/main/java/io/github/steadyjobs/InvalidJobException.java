package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * A request that cannot become a job, or stored arguments that do not fit the job's
 * method. The message says what was wrong, where, and how to fix it.
 */
public class InvalidJobException extends JobException {

	public InvalidJobException(String message) {
		super(message);
	}

	public InvalidJobException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Base class of the exceptions that this library throws.
 */
public abstract class JobException extends RuntimeException {

	protected JobException(@Nullable String message) {
		super(message);
	}

	protected JobException(@Nullable String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a key in Redis holds something that it must not hold. The message names it,
 * or its queue where only that is known. Nothing was changed.
 */
public class JobStoreDamagedException extends JobStoreException {

	/**
	 * Create an exception.
	 * @param message which key it is, and what it holds
	 * @param cause what Redis reported
	 */
	public JobStoreDamagedException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

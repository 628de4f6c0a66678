package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Redis refused a call, was not there, or did not answer in time. The message, and the
 * subtype, say what is true in Redis.
 */
public class JobStoreException extends JobException {

	public JobStoreException(String message) {
		super(message);
	}

	public JobStoreException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

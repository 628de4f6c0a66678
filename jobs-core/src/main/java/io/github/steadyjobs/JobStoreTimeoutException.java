package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a call was sent but Redis did not answer in time. Redis may have executed
 * the call, or may still do so: repeating the call may execute it twice.
 */
public class JobStoreTimeoutException extends JobStoreException {

	public JobStoreTimeoutException(String message, @Nullable Throwable cause) {
		super(Reason.UNANSWERED, message, cause);
	}

}

package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * The call was sent and Redis did not answer in time. It may have been carried out, or
 * may still be: making it again may do it twice.
 */
public class JobStoreTimeoutException extends JobStoreException {

	public JobStoreTimeoutException(String message, @Nullable Throwable cause) {
		super(Reason.UNANSWERED, message, cause);
	}

}

package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * There is no connection to Redis, or too many calls wait for an answer already
 * ({@link JobStoreException.Reason#UNREACHABLE}), or Redis takes no calls for now
 * ({@link JobStoreException.Reason#NOT_READY}). Nothing has changed there, so the call
 * can be made again.
 */
public class JobStoreUnavailableException extends JobStoreException {

	/**
	 * Create an exception for a call that was not sent.
	 * @param message why it was not
	 * @param cause what went wrong
	 */
	public JobStoreUnavailableException(String message, @Nullable Throwable cause) {
		this(Reason.UNREACHABLE, message, cause);
	}

	/**
	 * Create an exception.
	 * @param reason why the call has changed nothing
	 * @param message the reason in words
	 * @param cause what went wrong
	 */
	public JobStoreUnavailableException(Reason reason, String message, @Nullable Throwable cause) {
		super(reason, message, cause);
	}

}

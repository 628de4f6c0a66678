package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when there is no connection to Redis or too many calls are already waiting for
 * an answer ({@link JobStoreException.Reason#UNREACHABLE}), or when Redis accepts no
 * calls for now ({@link JobStoreException.Reason#NOT_READY}). Nothing has changed in
 * Redis, so the call can be repeated.
 */
public class JobStoreUnavailableException extends JobStoreException {

	/**
	 * Create an exception for a call that was not sent.
	 * @param message why the call was not sent
	 * @param cause the underlying failure
	 */
	public JobStoreUnavailableException(String message, @Nullable Throwable cause) {
		this(Reason.UNREACHABLE, message, cause);
	}

	/**
	 * Create an exception.
	 * @param reason why the call has changed nothing
	 * @param message the reason in words
	 * @param cause the underlying failure
	 */
	public JobStoreUnavailableException(Reason reason, String message, @Nullable Throwable cause) {
		super(reason, message, cause);
	}

}

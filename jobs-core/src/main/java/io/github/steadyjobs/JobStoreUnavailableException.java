package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * There is no connection to Redis, or none that {@linkplain JobStoreNotReadyException
 * takes calls}, or too many calls wait for an answer already. Nothing has changed there.
 */
public class JobStoreUnavailableException extends JobStoreException {

	public JobStoreUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

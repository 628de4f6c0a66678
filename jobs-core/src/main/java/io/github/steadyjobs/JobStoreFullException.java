package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Redis has reached its {@code maxmemory} and takes no new jobs. Nothing was stored. Jobs
 * that are stored already go on being worked off.
 */
public class JobStoreFullException extends JobStoreException {

	public JobStoreFullException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

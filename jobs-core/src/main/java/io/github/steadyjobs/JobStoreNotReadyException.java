package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Redis is there and takes no calls for now: it loads its data, is a replica or lacks
 * one, runs a long script, or a part of its cluster is missing. The call was refused: it
 * has changed nothing.
 */
public class JobStoreNotReadyException extends JobStoreUnavailableException {

	/**
	 * Create an exception.
	 * @param message why Redis takes no calls
	 * @param cause what Redis answered
	 */
	public JobStoreNotReadyException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

package io.github.steadyjobs.admin;

import org.jspecify.annotations.Nullable;

/**
 * The result of pausing or resuming something.
 *
 * @param status what was done
 * @param pause the pause that was made or ended; if nothing was done, the present pause,
 * {@code null} if there is none
 */
public record PauseResult(Status status, @Nullable JobPause pause) {

	/** What was done. */
	public enum Status {

		/** It is paused now. */
		PAUSED,

		/** It was paused, and no longer is. */
		RESUMED,

		/** Nothing: it is already paused, perhaps by another operator just now. */
		ALREADY_PAUSED,

		/**
		 * Nothing: it is not paused, perhaps because another operator has just resumed
		 * it.
		 */
		NOT_PAUSED,

		/** Nothing: the given pause was replaced by another one. */
		CHANGED,

		/**
		 * Nothing: there is no such queue. It has had no jobs for an hour, or ever, and
		 * no process serves it.
		 */
		UNKNOWN_QUEUE

	}

}

package io.github.steadyjobs.admin;

import org.jspecify.annotations.Nullable;

/**
 * The result of pausing or resuming something.
 *
 * @param status what was done
 * @param pause the pause that was made or ended; if nothing was changed, the current
 * pause, or {@code null} if there is none
 */
public record PauseResult(Status status, @Nullable JobPause pause) {

	/** What was done. */
	public enum Status {

		/** It is now paused. */
		PAUSED,

		/** It was paused and has been resumed. */
		RESUMED,

		/** Nothing: it is already paused, perhaps by another operator just now. */
		ALREADY_PAUSED,

		/** Nothing: it is not paused. Another operator may have just resumed it. */
		NOT_PAUSED,

		/** Nothing, because the given pause was replaced by another one. */
		CHANGED,

		/**
		 * Nothing, because there is no such queue: it has no jobs and has had none within
		 * the last hour, and no process serves it.
		 */
		UNKNOWN_QUEUE

	}

}

package io.github.steadyjobs.admin;

import org.jspecify.annotations.Nullable;

/**
 * The result of pausing or resuming something.
 *
 * @param status the change that was made, or why there was none
 * @param pause the pause that was made or ended; if nothing was changed, the current
 * pause, or {@code null} if there is no pause
 */
public record PauseResult(Status status, @Nullable JobPause pause) {

	/** The change that was made, or why there was none. */
	public enum Status {

		/** It is now paused. */
		PAUSED,

		/** It was paused and has been resumed. */
		RESUMED,

		/** No change: it is already paused, possibly by another operator just now. */
		ALREADY_PAUSED,

		/** No change: it is not paused. Another operator may have just resumed it. */
		NOT_PAUSED,

		/** No change: the given pause was replaced by another pause. */
		CHANGED,

		/**
		 * No change: there is no such queue. It has had no jobs within the last hour, and
		 * no process serves it.
		 */
		UNKNOWN_QUEUE

	}

}

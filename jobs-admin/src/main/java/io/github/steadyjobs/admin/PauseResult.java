package io.github.steadyjobs.admin;

import org.jspecify.annotations.Nullable;

/**
 * The result of pausing or resuming a queue or jobs.
 *
 * @param status the change that was made, or the reason why nothing was changed
 * @param pause the pause that was made or ended; if nothing was changed, the current
 * pause, or {@code null} if there is no pause
 */
public record PauseResult(Status status, @Nullable JobPause pause) {

	/** The change that was made, or the reason why nothing was changed. */
	public enum Status {

		/** The queue or the jobs are now paused. */
		PAUSED,

		/** The queue or the jobs were resumed. */
		RESUMED,

		/** No change: already paused, possibly by another operator a moment ago. */
		ALREADY_PAUSED,

		/**
		 * No change: not paused. Another operator may have ended the pause a moment ago.
		 */
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

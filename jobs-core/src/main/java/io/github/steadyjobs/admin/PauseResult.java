package io.github.steadyjobs.admin;

import org.jspecify.annotations.Nullable;

/**
 * The result of pausing or resuming something.
 *
 * @param status what was done
 * @param pause the pause that was made or ended; if nothing was done, the one that
 * stands, {@code null} if there is none
 */
public record PauseResult(Status status, @Nullable JobPause pause) {

	/**
	 * What was done.
	 */
	public enum Status {

		/** It is paused now. */
		PAUSED,

		/** It was paused, and no longer is. */
		RESUMED,

		/** Nothing: it is paused already, maybe by somebody else just now. */
		ALREADY_PAUSED,

		/** Nothing: it is not paused, maybe as somebody else has just resumed it. */
		NOT_PAUSED,

		/** Nothing: another pause stands by now than the one that was named. */
		CHANGED,

		/**
		 * Nothing: such a queue has had no jobs for an hour, or never, and no process
		 * serves it.
		 */
		UNKNOWN_QUEUE

	}

}

package io.github.steadyjobs.server;

import io.github.steadyjobs.JobPayload;
import org.jspecify.annotations.Nullable;

/**
 * What hooks are told of once Redis has taken it.
 *
 * @param job the job, with what happened noted in it; {@code null} if nobody can read it
 * @param cause what was thrown, as it was thrown, or else why the job died
 * @param kind what it means for the job
 */
record Failure(@Nullable JobPayload job, Throwable cause, Kind kind) {

	/**
	 * What a failure means for its job.
	 */
	enum Kind {

		/**
		 * The job runs again, was forgotten at its own wish, or cannot be read.
		 */
		ATTEMPT,

		/**
		 * It was the last attempt.
		 */
		EXHAUSTED,

		/**
		 * The job has thrown nothing, and is dead all the same.
		 */
		CUT_SHORT

	}

}

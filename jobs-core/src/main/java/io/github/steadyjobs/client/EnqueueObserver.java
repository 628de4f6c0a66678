package io.github.steadyjobs.client;

import java.util.Map;

import io.github.steadyjobs.EnqueueResult;
import org.jspecify.annotations.Nullable;

/**
 * Accompanies each call that enqueues jobs, from before the first interceptor until the
 * jobs are stored or wait for a commit, or the call has failed. Implementations must not
 * throw exceptions. Thread safe.
 */
@FunctionalInterface
public interface EnqueueObserver {

	/** Does nothing. */
	EnqueueObserver NONE = (id, job, queue) -> Call.NONE;

	/**
	 * Begin a call.
	 * @param id the id of the first job
	 * @param job the name of the first job
	 * @param queue the queue of the first job, unless interceptors change it
	 * @return the call, which the same thread leaves and ends
	 */
	Call begin(String id, String job, String queue);

	/** A call that enqueues one job, or up to 1,000 jobs of a bulk push. */
	@FunctionalInterface
	interface Call {

		/** Does nothing. */
		Call NONE = (own) -> own;

		/**
		 * Return the values to store with a job.
		 * @param own the values that the request has attached to the job
		 */
		Map<String, String> meta(Map<String, String> own);

		/**
		 * Called once, before {@link #end}: when the jobs are stored or wait for a
		 * commit, when enqueueing them has failed, or when the next call of a bulk push
		 * begins.
		 */
		default void leave() {
		}

		/**
		 * Called once, when the result is known.
		 * @param jobs the number of jobs
		 * @param result the result, {@code null} for a bulk push or a failure
		 * @param failure the exception that the caller gets, if any
		 */
		default void end(int jobs, @Nullable EnqueueResult result, @Nullable Throwable failure) {
		}

	}

}

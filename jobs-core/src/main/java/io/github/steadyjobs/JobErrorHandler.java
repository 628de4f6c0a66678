package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Told of what goes wrong, to report it: every failure of a job, whatever becomes of the
 * job, and every unexpected failure of a worker's own threads. Each of them is logged as
 * well.
 * <p>
 * Called in {@link org.springframework.core.Ordered} order. A job's failure is told once
 * Redis has taken it, so that the job is where it belongs: in the retry set, the dead
 * set, or gone. It is told at least once for as long as the process lives, and not at all
 * if another claim holds the job by then or the job was cancelled: such a failure does
 * not count.
 * <p>
 * Called on threads of the worker's own, never on those that run jobs. Must be thread
 * safe. What it throws is logged and changes nothing. As long as it takes, the failed job
 * counts as unsettled, so that a handler that hangs ends up holding workers.
 */
@FunctionalInterface
public interface JobErrorHandler {

	/**
	 * Handle a failure.
	 * @param failure what was thrown, never wrapped by this library
	 * @param job the job with this failure noted in it, or {@code null} if it was no job
	 * that failed, or one that nobody can read
	 * @throws Exception anything, which is logged
	 */
	void handle(Throwable failure, @Nullable JobPayload job) throws Exception;

}

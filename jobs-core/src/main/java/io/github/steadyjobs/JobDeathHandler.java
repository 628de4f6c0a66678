package io.github.steadyjobs;

/**
 * Told of every job that will not run again although it never succeeded: it has no
 * retries left, it threw {@link KillJobException}, or the processes that ran it died with
 * it too often. Told also where such a job is not kept in the dead set, because it was
 * enqueued with {@link Job#dead()} {@code false}.
 * <p>
 * Called in {@link org.springframework.core.Ordered} order, after
 * {@link JobErrorHandler}s and the job's own {@link RetriesExhausted} method, once Redis
 * has taken the death: the job is in the dead set, or gone. A handler is called at least
 * once for as long as the process lives; one that dies between the answer of Redis and
 * the call loses the call, not the job.
 * <p>
 * Called on threads of the worker's own, never on those that run jobs. Must be thread
 * safe. What it throws is logged and changes nothing. As long as it takes, the failed job
 * counts as unsettled, so that a handler that hangs ends up holding workers.
 */
@FunctionalInterface
public interface JobDeathHandler {

	/**
	 * Handle the death of a job.
	 * @param job the job as it is in the dead set, or would be
	 * @param reason what the job threw last, never wrapped by this library, or a
	 * {@link RunCutShortException} that says how its process ended with it
	 * @throws Exception anything, which is logged
	 */
	void died(JobPayload job, Throwable reason) throws Exception;

}

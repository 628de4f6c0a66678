package io.github.steadyjobs;

/**
 * How a run of a job ended.
 */
public enum JobOutcome {

	/** The job ran to its end. */
	DONE,

	/** An interceptor did not let the job run. The job has ended. */
	SKIPPED,

	/** The job failed and will be retried. */
	RETRY,

	/** The job failed for the last time and is kept as dead. */
	DEAD,

	/**
	 * The job failed and was discarded, either because it failed for the last time and is
	 * not kept as dead, or because of a {@link DiscardJobException}.
	 */
	DISCARDED,

	/**
	 * A shutdown cut the run short, or this process had lost the job. No retry was used
	 * up. Unless another process already runs the job, it goes back to the head of its
	 * queue.
	 */
	RELEASED,

	/**
	 * The run was put off, and no retry was used up. If the job threw a
	 * {@link PauseQueueException}, it runs again after the pause. Otherwise, the data of
	 * a {@link ConsistencySource} was not new enough: the job did not begin, and is tried
	 * again shortly.
	 */
	PUT_OFF,

	/**
	 * The job threw a {@link SnoozeJobException}. It runs again later, and no retry was
	 * used up.
	 */
	SNOOZED,

	/**
	 * The job did not begin because its {@linkplain Job#expires() time limit} had passed.
	 * It has ended.
	 */
	EXPIRED,

	/**
	 * The job was cancelled and interrupted, and has ended with an exception. This is not
	 * a failure, and the job does not run again.
	 */
	CANCELLED,

	/**
	 * The job was parked. Either no bean of this process handles the job or its method
	 * does not accept the arguments, and the job waits for a process that can run it; or
	 * jobs with its name are paused. No retry was used up.
	 */
	PARKED

}

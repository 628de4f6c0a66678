package io.github.steadyjobs;

/**
 * How a run of a job ended.
 */
public enum JobOutcome {

	/** The job ran to its end. */
	DONE,

	/** An interceptor did not let the job run. It has ended. */
	SKIPPED,

	/** The job failed and runs again later. */
	RETRY,

	/** The job failed for the last time and is kept as dead. */
	DEAD,

	/**
	 * The job failed and is forgotten: for the last time and without being kept as dead,
	 * or because of a {@link DiscardJobException}.
	 */
	DISCARDED,

	/**
	 * A shutdown cut the run short. The job is back at the head of its queue and no retry
	 * was used up.
	 */
	RELEASED,

	/**
	 * The job did not begin because a {@link ConsistencySource} has no data that is new
	 * enough for it, and is tried again shortly; or it has paused its queue with a
	 * {@link PauseQueueException}, and is tried again after that. No retry was used up.
	 */
	PUT_OFF,

	/**
	 * The job threw a {@link SnoozeJobException}. It runs again later, and no retry was
	 * used up.
	 */
	SNOOZED,

	/**
	 * The job did not begin because it was too late for it. It has ended, see
	 * {@link Job#expires()}.
	 */
	EXPIRED,

	/**
	 * The job was cancelled and interrupted, and has ended with an exception. That is not
	 * a failure, and there is no further run.
	 */
	CANCELLED,

	/**
	 * No bean of this process takes the job, or its method does not take the arguments:
	 * it waits for a process that can run it. Or jobs of its name are paused. No retry
	 * was used up.
	 */
	PARKED

}

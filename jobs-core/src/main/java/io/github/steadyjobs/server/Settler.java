package io.github.steadyjobs.server;

import java.util.List;

/**
 * Applies the outcomes of runs to jobs in Redis or, in a test, in memory.
 */
interface Settler {

	/**
	 * Settle jobs that ran together, according to their outcomes. Jobs that were given
	 * back are already settled.
	 */
	void settle(List<UnitOfWork> jobs);

	/** Move a job as an outcome requires, no matter how its run ends. */
	void move(UnitOfWork job, Outcome outcome);

	/**
	 * Put jobs of one queue back at the head of the queue. If the jobs have begun, the
	 * oldest job goes to the front; otherwise, the first job of the list does. The order
	 * of jobs from different calls may change.
	 * @param begun {@code true} if all jobs have begun, {@code false} if no job has
	 */
	void release(List<UnitOfWork> works, boolean begun);

}

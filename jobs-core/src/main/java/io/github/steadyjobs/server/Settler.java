package io.github.steadyjobs.server;

import java.util.List;

/**
 * Carries out the outcomes of runs: in Redis or, in a test, in memory.
 */
interface Settler {

	/**
	 * Settle jobs that ran together, according to their outcomes. Jobs that were given
	 * back are already settled.
	 */
	void settle(List<UnitOfWork> jobs);

	/** Move a job to where an outcome puts it, no matter how its run ends. */
	void move(UnitOfWork job, Outcome outcome);

	/**
	 * Put jobs of one queue back at its head. If they have begun, the oldest job goes to
	 * the front; otherwise the first job of the list does. The order of jobs from
	 * different calls may change.
	 * @param begun {@code true} if all of them have begun, {@code false} if none of them
	 * has
	 */
	void release(List<UnitOfWork> works, boolean begun);

}

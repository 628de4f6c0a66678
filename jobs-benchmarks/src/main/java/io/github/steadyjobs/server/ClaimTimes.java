package io.github.steadyjobs.server;

import io.github.steadyjobs.JobContext;
import org.jspecify.annotations.NullMarked;

/**
 * Lets measurements know when a job was claimed, which jobs themselves cannot see. In the
 * package of the worker, so that nothing there has to be public for this.
 */
@NullMarked
public final class ClaimTimes {

	private ClaimTimes() {
	}

	/**
	 * Return when the job was claimed.
	 * @param job the context of the run, as the worker made it
	 * @return the time of Redis, microseconds since the epoch in steps of a millisecond
	 */
	public static long micros(JobContext job) {
		return ((UnitOfWork) job).claimedAt() * 1000;
	}

}

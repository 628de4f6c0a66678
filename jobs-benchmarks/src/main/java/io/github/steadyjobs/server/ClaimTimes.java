package io.github.steadyjobs.server;

import io.github.steadyjobs.JobContext;
import org.jspecify.annotations.NullMarked;

/**
 * Tells measurements when a job was claimed, which jobs themselves are not told. In the
 * package of the worker, so that nothing there has to be public for it.
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

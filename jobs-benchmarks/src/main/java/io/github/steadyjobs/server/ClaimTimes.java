package io.github.steadyjobs.server;

import io.github.steadyjobs.JobContext;
import org.jspecify.annotations.NullMarked;

/**
 * Provides measurements with the time at which a job was claimed, which the public API
 * does not show. This class is in the package of the worker, so that nothing in that
 * package has to be made public.
 */
@NullMarked
public final class ClaimTimes {

	private ClaimTimes() {
	}

	/**
	 * Return when the job was claimed.
	 * @param job the context of the run, as created by the worker
	 * @return the time by the clock of Redis, in microseconds since the epoch, in steps
	 * of a millisecond
	 */
	public static long micros(JobContext job) {
		return ((UnitOfWork) job).claimedAt() * 1000;
	}

}

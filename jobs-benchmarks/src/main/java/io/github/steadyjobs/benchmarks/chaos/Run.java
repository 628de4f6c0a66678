package io.github.steadyjobs.benchmarks.chaos;

/**
 * The record of a run of a job. Times are milliseconds since the epoch.
 *
 * @param slot number of the worker
 * @param job number of the job
 * @param id id of the job
 * @param token fencing token of the run, unique among the claims of the job
 * @param start when it began
 * @param end when it ended, {@link Long#MAX_VALUE} if it never ended
 * @param ending how it ended
 */
record Run(int slot, int job, String id, long token, long start, long end, Ending ending) {

	static final long NEVER = Long.MAX_VALUE;

	boolean isDone() {
		return this.ending == Ending.DONE;
	}

	Run ended(long time, Ending how) {
		return new Run(this.slot, this.job, this.id, this.token, this.start, time, how);
	}

	/**
	 * Return whether another run of the same job began after this run did, and before
	 * this run ended of its own accord.
	 */
	boolean isOvertakenBy(Run other) {
		boolean ownEnd = this.ending == Ending.DONE || this.ending == Ending.FAILED;
		return ownEnd && this.id.equals(other.id) && other.start > this.start && other.start < this.end;
	}

	enum Ending {

		/**
		 * The run was completed.
		 */
		DONE,

		/**
		 * The run ended with an exception.
		 */
		FAILED,

		/**
		 * The run was interrupted by a shutdown, or because the job was given to another
		 * worker.
		 */
		INTERRUPTED,

		/**
		 * The run has not ended.
		 */
		NONE

	}

}

package io.github.steadyjobs.benchmarks.chaos;

/**
 * A run of a job, as it was recorded. Times are milliseconds since the epoch.
 *
 * @param slot number of the worker
 * @param job number of the job
 * @param id id of the job
 * @param token unique among the claims of the job
 * @param start when it began
 * @param end when it ended, {@link Long#MAX_VALUE} if it never did
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
	 * Return whether another run of the same job began after this one, and before this
	 * one ended by itself.
	 */
	boolean isOvertakenBy(Run other) {
		boolean ownEnd = this.ending == Ending.DONE || this.ending == Ending.FAILED;
		return ownEnd && this.id.equals(other.id) && other.start > this.start && other.start < this.end;
	}

	enum Ending {

		/**
		 * To its end.
		 */
		DONE,

		/**
		 * By an exception.
		 */
		FAILED,

		/**
		 * By a shutdown, or because the job was given to another worker.
		 */
		INTERRUPTED,

		/**
		 * Not at all.
		 */
		NONE

	}

}

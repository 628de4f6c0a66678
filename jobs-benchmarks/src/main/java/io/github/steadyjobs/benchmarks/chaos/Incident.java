package io.github.steadyjobs.benchmarks.chaos;

/**
 * A fault that hit a process, recorded for checking the history. Times are milliseconds
 * since the epoch.
 *
 * @param kind what happened to the process
 * @param slot number of the worker, or {@link #ALL}
 * @param from when it began
 * @param to when it ended
 */
record Incident(Kind kind, int slot, long from, long to) {

	/**
	 * The slot number that stands for all workers and the producer.
	 */
	static final int ALL = -1;

	boolean hits(int other) {
		return this.slot == ALL || this.slot == other;
	}

	boolean overlaps(long begin, long end) {
		return this.from <= end && begin <= this.to;
	}

	enum Kind {

		/**
		 * The process was killed, or ended unexpectedly.
		 */
		KILLED,

		/**
		 * The process was asked to stop, and stopped.
		 */
		STOPPED,

		/**
		 * The process was paused.
		 */
		PAUSED,

		/**
		 * The process could not communicate with Redis.
		 */
		CUT_OFF,

		/**
		 * Redis forgot the changes that it had confirmed during this time.
		 */
		FORGOTTEN

	}

}

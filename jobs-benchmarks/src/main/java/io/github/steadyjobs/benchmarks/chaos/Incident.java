package io.github.steadyjobs.benchmarks.chaos;

/**
 * A fault that hit a process, for the check of the history. Times are milliseconds since
 * the epoch.
 *
 * @param kind what it means for the process
 * @param slot number of the worker, or {@link #ALL}
 * @param from when it began
 * @param to when it ended
 */
record Incident(Kind kind, int slot, long from, long to) {

	/**
	 * Stands for all workers and the producer.
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
		 * The process was killed.
		 */
		KILLED,

		/**
		 * The process was asked to end, and did.
		 */
		STOPPED,

		/**
		 * The process was paused.
		 */
		PAUSED,

		/**
		 * The process could not talk to Redis.
		 */
		CUT_OFF,

		/**
		 * Redis forgot what it had confirmed in this time.
		 */
		FORGOTTEN

	}

}

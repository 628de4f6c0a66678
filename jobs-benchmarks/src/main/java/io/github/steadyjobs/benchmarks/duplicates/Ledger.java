package io.github.steadyjobs.benchmarks.duplicates;

/**
 * The program's own records, which are separate from the keys of the library.
 *
 * @param prefix prefix of the record keys
 */
record Ledger(String prefix) {

	/**
	 * The hash with the number of changes of each key.
	 */
	String states() {
		return this.prefix + ":states";
	}

	/**
	 * The hash with the last processed state of each key.
	 */
	String processed() {
		return this.prefix + ":processed";
	}

	/**
	 * The hash with the processes that are currently running a job, by key.
	 */
	String running() {
		return this.prefix + ":running";
	}

	/**
	 * The hash with counters.
	 */
	String counts() {
		return this.prefix + ":counts";
	}

}

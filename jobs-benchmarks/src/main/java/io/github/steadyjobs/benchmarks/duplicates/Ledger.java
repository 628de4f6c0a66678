package io.github.steadyjobs.benchmarks.duplicates;

/**
 * The program's own records, which are separate from the keys of the library.
 *
 * @param prefix prefix of the record keys
 */
record Ledger(String prefix) {

	/**
	 * Return the name of the hash with the number of changes of each key.
	 */
	String states() {
		return this.prefix + ":states";
	}

	/**
	 * Return the name of the hash with the last processed state of each key.
	 */
	String processed() {
		return this.prefix + ":processed";
	}

	/**
	 * Return the name of the hash with the processes that are currently running a job, by
	 * key.
	 */
	String running() {
		return this.prefix + ":running";
	}

	/**
	 * Return the name of the hash with the counts of calls, of their results and of runs.
	 */
	String counts() {
		return this.prefix + ":counts";
	}

}

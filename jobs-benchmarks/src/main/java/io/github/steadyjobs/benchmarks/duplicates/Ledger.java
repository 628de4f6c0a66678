package io.github.steadyjobs.benchmarks.duplicates;

/**
 * The records of the program itself, apart from the keys of the library.
 *
 * @param prefix prefix of its keys
 */
record Ledger(String prefix) {

	/**
	 * How often each key was changed.
	 */
	String states() {
		return this.prefix + ":states";
	}

	/**
	 * The state of each key that was processed last.
	 */
	String processed() {
		return this.prefix + ":processed";
	}

	/**
	 * The processes that run a job right now, by key.
	 */
	String running() {
		return this.prefix + ":running";
	}

	/**
	 * What was counted.
	 */
	String counts() {
		return this.prefix + ":counts";
	}

}

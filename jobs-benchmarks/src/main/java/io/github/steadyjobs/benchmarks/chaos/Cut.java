package io.github.steadyjobs.benchmarks.chaos;

/**
 * The ways in which connections break.
 */
enum Cut {

	/**
	 * They are closed, and new ones open at once.
	 */
	CLOSE,

	/**
	 * They are closed, and so are new ones for a while.
	 */
	REFUSE,

	/**
	 * Nothing gets through for a while, then they are closed.
	 */
	SILENCE,

	/**
	 * Requests are carried out and replies get lost for a while, then they are closed.
	 * Clients repeat calls that were not answered.
	 */
	LOSE_REPLIES

}

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
	 * Nothing passes for a while, then they are closed.
	 */
	SILENCE,

	/**
	 * Requests are carried out and replies get lost for a while, then they are closed.
	 * Clients send again what was not answered.
	 */
	LOSE_REPLIES

}

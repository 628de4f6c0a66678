package io.github.steadyjobs.benchmarks.chaos;

/**
 * The ways in which connections break.
 */
enum Cut {

	/**
	 * Connections are closed. New connections can be opened immediately.
	 */
	CLOSE,

	/**
	 * Connections are closed, and new connections are refused for a while.
	 */
	REFUSE,

	/**
	 * Nothing gets through for a while. Then connections are closed.
	 */
	SILENCE,

	/**
	 * For a while, requests are carried out but replies are lost. Then connections are
	 * closed. Clients repeat calls that were not answered.
	 */
	LOSE_REPLIES

}

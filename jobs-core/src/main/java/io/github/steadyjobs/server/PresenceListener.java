package io.github.steadyjobs.server;

/**
 * Receives the answers of queues to the heartbeats of this process. Called on network
 * threads, so implementations must not block.
 */
interface PresenceListener {

	/** Called when a queue has answered a heartbeat. */
	default void answered(String queue, Beat beat) {
	}

	/** Called when a queue no longer counts the given name of this process as alive. */
	default void fenced(String queue, String name) {
	}

}

package io.github.steadyjobs.server;

/**
 * Hears what queues say to the heartbeats of this process. Called on network threads, so
 * it must not block.
 */
interface PresenceListener {

	/** Handle the answer to a heartbeat. */
	default void answered(String queue, Beat beat) {
	}

	/** Handle that a queue no longer counts this process as alive under a name. */
	default void fenced(String queue, String name) {
	}

}

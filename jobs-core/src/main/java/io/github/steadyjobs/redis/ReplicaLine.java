package io.github.steadyjobs.redis;

import java.time.Duration;

import io.lettuce.core.api.StatefulConnection;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one server for pushes that are to be replicated, and the wait for
 * replicas on it. Thread safe.
 */
final class ReplicaLine {

	private final HeldConnection held;

	private final Duration commandTimeout;

	private @Nullable ReplicaWait present;

	ReplicaLine(HeldConnection held, Duration commandTimeout) {
		this.held = held;
		this.commandTimeout = commandTimeout;
	}

	HeldConnection connection() {
		return this.held;
	}

	/**
	 * Return the wait for replicas on the present connection.
	 * @throws io.github.steadyjobs.JobStoreUnavailableException if there is no connection
	 */
	ReplicaWait replicas() {
		StatefulConnection<byte[], byte[]> connection = this.held.get();
		synchronized (this) {
			if (this.present == null || !this.present.isOn(connection)) {
				this.present = new ReplicaWait(this.held, connection, this.commandTimeout);
			}
			return this.present;
		}
	}

	/**
	 * Return whether all was sent on the connection of this wait since it was returned.
	 */
	boolean uses(ReplicaWait replicas) {
		return this.held.isPresent(replicas.connection());
	}

}

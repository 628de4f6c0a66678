package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.function.Supplier;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one server for pushes that are to be replicated, and the wait for
 * replicas on it. Thread safe.
 */
final class ReplicaLine implements AutoCloseable {

	private final HeldConnection held;

	private final Duration commandTimeout;

	private @Nullable ReplicaWait present;

	ReplicaLine(Supplier<StatefulConnection<byte[], byte[]>> opener, Supplier<@Nullable Object> client,
			Supplier<String> address, Duration commandTimeout) {
		this.held = new HeldConnection("replicated", () -> closeOnceBroken(opener.get()), client, address);
		this.commandTimeout = commandTimeout;
	}

	/**
	 * Lettuce would go on with a new connection behind the same object, and a WAIT sent
	 * there would know nothing of what was written on the old one.
	 */
	private static StatefulConnection<byte[], byte[]> closeOnceBroken(StatefulConnection<byte[], byte[]> opened) {
		opened.addListener(new RedisConnectionStateListener() {

			@Override
			public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
				disconnected.closeAsync();
			}

		});
		return opened;
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

	@Override
	public void close() {
		this.held.close();
	}

}

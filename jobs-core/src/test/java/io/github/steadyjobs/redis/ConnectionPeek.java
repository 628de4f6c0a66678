package io.github.steadyjobs.redis;

import java.util.Set;
import java.util.function.BooleanSupplier;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;

/**
 * A look at connections, for tests of what uses them.
 */
public final class ConnectionPeek {

	private ConnectionPeek() {
	}

	/**
	 * Return the ids that the server has given to the connections of commands, of bulk
	 * pushes and of heartbeats.
	 */
	public static Set<Long> clientIds(RedisConnections connections) {
		return Set.of(clientId(connections.commands()), clientId(connections.bulk()), clientId(connections.beats()));
	}

	private static long clientId(NodeConnections connections) {
		HeldConnection held = connections.serving(new byte[0]).join();
		return ((StatefulRedisConnection<byte[], byte[]>) held.get()).sync().clientId();
	}

	/**
	 * Return whether another connection of commands has been chosen since this was
	 * called.
	 */
	public static BooleanSupplier replaced(RedisConnections connections) {
		HeldConnection held = connections.commands().serving(new byte[0]).join();
		StatefulConnection<byte[], byte[]> former = held.get();
		return () -> !held.isPresent(former);
	}

	/**
	 * Return whether pushes go to the connection of a wait.
	 */
	public static boolean isPresent(ReplicaWait wait) {
		return wait.isPresent();
	}

}

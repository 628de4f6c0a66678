package io.github.steadyjobs.redis;

import java.util.Set;
import java.util.function.BooleanSupplier;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;

/**
 * Gives tests access to the connections of the classes that they test.
 */
public final class ConnectionPeek {

	private ConnectionPeek() {
	}

	/**
	 * Return the ids that the server has assigned to the connections for commands, for
	 * bulk pushes and for heartbeats.
	 */
	public static Set<Long> clientIds(RedisConnections connections) {
		return Set.of(clientId(connections.commands()), clientId(connections.bulk()), clientId(connections.beats()));
	}

	private static long clientId(NodeConnections connections) {
		HeldConnection held = connections.serving(new byte[0]).join();
		return ((StatefulRedisConnection<byte[], byte[]>) held.get()).sync().clientId();
	}

	/**
	 * Return a condition that becomes true when the present connection for commands is no
	 * longer used.
	 */
	public static BooleanSupplier replaced(RedisConnections connections) {
		HeldConnection held = connections.commands().serving(new byte[0]).join();
		StatefulConnection<byte[], byte[]> former = held.get();
		return () -> !held.isPresent(former);
	}

	/**
	 * Return whether pushes still use the connection of the given wait.
	 */
	public static boolean isPresent(ReplicaWait wait) {
		return wait.isPresent();
	}

}

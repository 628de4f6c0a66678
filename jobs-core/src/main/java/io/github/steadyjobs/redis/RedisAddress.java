package io.github.steadyjobs.redis;

import java.util.Collection;
import java.util.stream.Collectors;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Where the Redis of a connection factory is, for people.
 */
final class RedisAddress {

	private RedisAddress() {
	}

	/**
	 * Describe what a factory connects to. Passwords are no part of it.
	 * @param factory the factory, started or not
	 * @return a text such as "localhost:6379, database 0"
	 */
	static String of(LettuceConnectionFactory factory) {
		RedisClusterConfiguration cluster = factory.getClusterConfiguration();
		if (cluster != null) {
			return "the cluster of " + nodes(cluster.getClusterNodes());
		}
		String database = ", database " + factory.getDatabase();
		RedisSentinelConfiguration sentinel = factory.getSentinelConfiguration();
		if (sentinel != null) {
			return "the primary '%s' of the Sentinels %s%s".formatted(sentinel.getRequiredMaster().getName(),
					nodes(sentinel.getSentinels()), database);
		}
		RedisSocketConfiguration socket = factory.getSocketConfiguration();
		return ((socket != null) ? socket.getSocket() : factory.getHostName() + ":" + factory.getPort()) + database;
	}

	private static String nodes(Collection<RedisNode> nodes) {
		return nodes.stream().map(RedisNode::asString).sorted().collect(Collectors.joining(", "));
	}

}

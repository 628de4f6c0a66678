package io.github.steadyjobs.support;

import java.time.Duration;
import java.util.stream.IntStream;

import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import org.awaitility.Awaitility;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A cluster of a single node that owns all slots.
 */
public final class ClusterRedis implements AutoCloseable {

	private final EmbeddedRedisServer server;

	private final LettuceConnectionFactory connectionFactory;

	private ClusterRedis(EmbeddedRedisServer server) {
		this.server = server;
		this.connectionFactory = ConnectionFactories.cluster(server.host(), server.port());
	}

	/**
	 * Start a cluster.
	 * @return the cluster, ready to serve
	 */
	public static ClusterRedis start() {
		EmbeddedRedisServer server = EmbeddedRedisServer.builder()
			.arguments("--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1")
			.start();
		assignSlots(server);
		return new ClusterRedis(server);
	}

	private static void assignSlots(EmbeddedRedisServer server) {
		RedisClient client = RedisClient.create(server.uri().toString());
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			RedisCommands<String, String> commands = connection.sync();
			commands.clusterAddSlots(IntStream.range(0, SlotHash.SLOT_COUNT).toArray());
			// A node that has just started waits two seconds before it serves requests.
			Awaitility.await()
				.pollInterval(Duration.ofMillis(20))
				.until(() -> commands.clusterInfo().contains("cluster_state:ok"));
		}
		finally {
			client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
		}
	}

	/**
	 * Return a started factory that treats the server as a cluster.
	 * @return the factory, closed together with the cluster
	 */
	public LettuceConnectionFactory connectionFactory() {
		return this.connectionFactory;
	}

	/**
	 * Return the address of the node.
	 * @return host and port, in the format of {@code spring.data.redis.cluster.nodes}
	 */
	public String node() {
		return this.server.host() + ":" + this.server.port();
	}

	String url() {
		return this.server.uri().toString();
	}

	@Override
	public void close() {
		this.connectionFactory.destroy();
		this.server.close();
	}

}

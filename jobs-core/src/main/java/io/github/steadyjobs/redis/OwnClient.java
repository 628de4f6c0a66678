package io.github.steadyjobs.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.tracing.Tracing;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A Redis client in addition to the application's own client, with the same servers,
 * settings and threads. Thread safe.
 * <p>
 * The client does not reconnect: a broken connection stays broken, so calls that were
 * sent on it fail at once and are never repeated without our knowledge. The client is
 * also excluded from metrics and traces: blocking pops spend all their time waiting, and
 * claims and acknowledgements outnumber the application's commands, so the application's
 * own Redis metrics and traces would be drowned out.
 */
final class OwnClient {

	private final LettuceConnectionFactory origin;

	private @Nullable AbstractRedisClient model;

	private @Nullable RedisClient client;

	private @Nullable ClientResources untraced;

	private List<RedisURI> addresses = List.of();

	OwnClient(LettuceConnectionFactory origin) {
		this.origin = origin;
	}

	/**
	 * Open a connection to the server.
	 * @throws IllegalStateException if the application's factory is stopped
	 */
	CompletableFuture<StatefulConnection<byte[], byte[]>> connect() {
		return connect(addresses().get(0));
	}

	/**
	 * Open a connection to a node of a cluster, with the settings for all nodes.
	 * @throws IllegalStateException if the application's factory is stopped
	 */
	CompletableFuture<StatefulConnection<byte[], byte[]>> connectTo(RedisURI node) {
		return connect(RedisURI.builder(addresses().get(0)).withHost(node.getHost()).withPort(node.getPort()).build());
	}

	private CompletableFuture<StatefulConnection<byte[], byte[]>> connect(RedisURI address) {
		return client().connectAsync(ByteArrayCodec.INSTANCE, address)
			.toCompletableFuture()
			.thenApply((connection) -> connection);
	}

	/**
	 * Return the configured addresses: one address or, in a cluster, the addresses of
	 * some nodes.
	 * @throws IllegalStateException if the application's factory is stopped
	 */
	synchronized List<RedisURI> addresses() {
		client();
		return this.addresses;
	}

	private synchronized RedisClient client() {
		// Request the client on every call, because a factory that was stopped and
		// restarted has another client.
		AbstractRedisClient model = this.origin.getRequiredNativeClient();
		if (this.client == null || this.model != model) {
			close();
			this.client = RedisClient.create(resources(model.getResources()));
			this.client.setOptions(options(model.getOptions()));
			this.addresses = addresses(model);
			this.model = model;
		}
		return this.client;
	}

	private static ClientOptions options(ClientOptions options) {
		return options.mutate()
			.autoReconnect(false)
			.disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
			.maintNotificationsConfig(MaintNotificationsConfig.disabled())
			.timeoutOptions(TimeoutOptions.builder().timeoutSource(Sent.timeouts()).build())
			.build();
	}

	private ClientResources resources(ClientResources resources) {
		if (!resources.tracing().isEnabled()) {
			return resources;
		}
		// These resources are set one by one. Otherwise the copy would create some of
		// them anew, and shut down others that it does not own.
		this.untraced = resources.mutate()
			.tracing(Tracing.disabled())
			.eventLoopGroupProvider(resources.eventLoopGroupProvider())
			.eventExecutorGroup(resources.eventExecutorGroup())
			.timer(resources.timer())
			.commandLatencyRecorder(resources.commandLatencyRecorder())
			.build();
		return this.untraced;
	}

	/**
	 * Read the addresses, which Lettuce's clients do not expose, in the same way as
	 * Spring Data.
	 */
	private static List<RedisURI> addresses(AbstractRedisClient client) {
		DirectFieldAccessor fields = new DirectFieldAccessor(client);
		if (client instanceof RedisClusterClient) {
			List<RedisURI> addresses = new ArrayList<>();
			((Iterable<?>) field(fields, "initialUris")).forEach((address) -> addresses.add((RedisURI) address));
			return addresses;
		}
		return List.of((RedisURI) field(fields, "redisURI"));
	}

	private static Object field(DirectFieldAccessor fields, String name) {
		Object value = fields.getPropertyValue(name);
		if (value == null) {
			throw new IllegalStateException("The client of Redis does not say where its server is");
		}
		return value;
	}

	/**
	 * Describe the server or servers to which a factory connects. Passwords are not
	 * included.
	 * @param factory the factory, started or not
	 * @return a string such as "localhost:6379, database 0", with ", TLS" if TLS is on
	 */
	static String address(LettuceConnectionFactory factory) {
		return servers(factory) + (factory.isUseSsl() ? ", TLS" : "");
	}

	private static String servers(LettuceConnectionFactory factory) {
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

	/** Close the client and its connections. The next use opens a new client. */
	synchronized void close() {
		if (this.client != null) {
			this.client.shutdownAsync();
			this.client = null;
		}
		if (this.untraced != null) {
			this.untraced.shutdown(0, 0, TimeUnit.SECONDS);
			this.untraced = null;
		}
	}

}

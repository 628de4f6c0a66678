package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreException;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.Assert;

/**
 * The connections of one application, made by the client of its own connection factory,
 * so that everything set in {@code spring.data.redis} counts: address, Sentinel, Cluster,
 * TLS, user. Replica reads do not: these connections always talk to the primary.
 * <p>
 * Each kind of traffic has its own, as a large push would delay what shares its
 * connection. They open when they are first used and stay open. Thread safe.
 */
public final class RedisConnections implements AutoCloseable {

	private final LettuceConnectionFactory factory;

	private final HeldConnection commands = held("commands", this::open);

	private final HeldConnection bulk = held("bulk", this::open);

	private final HeldConnection beats = held("beats", this::open);

	private final List<HeldConnection> waiting = new CopyOnWriteArrayList<>();

	private final UntracedClient untraced;

	private final ReplicaLines replicaLines;

	/**
	 * Create the connections. Nothing is opened yet.
	 * @param factory the application's factory
	 * @throws IllegalArgumentException if the factory is not Lettuce's
	 */
	public RedisConnections(RedisConnectionFactory factory) {
		Assert.isInstanceOf(LettuceConnectionFactory.class, factory,
				"Steady Jobs needs Lettuce, the default client of Spring Data Redis");
		this.factory = (LettuceConnectionFactory) factory;
		this.untraced = new UntracedClient(this.factory);
		this.replicaLines = new ReplicaLines(this.untraced, this::client, this::address, commandTimeout());
	}

	private HeldConnection held(String name, Supplier<StatefulConnection<byte[], byte[]>> opener) {
		return new HeldConnection(name, opener, this::client, this::address);
	}

	HeldConnection commands() {
		return this.commands;
	}

	HeldConnection bulk() {
		return this.bulk;
	}

	HeldConnection beats() {
		return this.beats;
	}

	/**
	 * Return new connections to block on, one for all queues or, in a cluster, one a
	 * queue.
	 */
	List<HeldConnection> waiting(int queues, Duration commandTimeout) {
		Supplier<StatefulConnection<byte[], byte[]>> opener = () -> {
			StatefulConnection<byte[], byte[]> connection = open();
			connection.setTimeout(commandTimeout);
			return connection;
		};
		List<HeldConnection> opened = new ArrayList<>();
		for (int i = 0; i < (isCluster() ? queues : 1); i++) {
			opened.add(held("waiting", opener));
		}
		this.waiting.addAll(opened);
		return opened;
	}

	/**
	 * Close connections that were opened to block on.
	 */
	void closeWaiting(List<HeldConnection> opened) {
		opened.forEach(HeldConnection::close);
		this.waiting.removeAll(opened);
	}

	/**
	 * Return the connection for pushes to a key that are to be replicated, one for all
	 * keys or, in a cluster, one a node.
	 * @throws JobStoreException if the node is not known, as the cluster is not reachable
	 */
	ReplicaLine replicaLine(byte[] key) {
		if (!isCluster()) {
			return this.replicaLines.single(this::open);
		}
		// The client knows the nodes once it has a connection, for which this waits no
		// longer than for any.
		this.commands.get();
		return this.replicaLines.ofNode(key);
	}

	/**
	 * Look again which node has what. Does not wait for it.
	 */
	void nodesChanged() {
		this.replicaLines.nodesChanged();
	}

	/**
	 * Say where jobs are stored, for logs and people.
	 * @param prefix what all keys begin with
	 * @return a text such as "localhost:6379, database 0, prefix 'steadyjobs'", without
	 * passwords
	 */
	public String describe(String prefix) {
		return "%s, prefix '%s'".formatted(address(), prefix);
	}

	private String address() {
		return RedisAddress.of(this.factory);
	}

	boolean isCluster() {
		return this.factory.isClusterAware();
	}

	/**
	 * Return how long a command may take, as {@code spring.data.redis.timeout} says.
	 */
	Duration commandTimeout() {
		return this.factory.getClientConfiguration().getCommandTimeout();
	}

	/**
	 * Return whether the application's own reads may go to replicas, which ours never do.
	 */
	boolean readsReplicas() {
		return this.factory.getClientConfiguration()
			.getReadFrom()
			.filter((from) -> from != ReadFrom.UPSTREAM)
			.isPresent();
	}

	private StatefulConnection<byte[], byte[]> open() {
		return connect(this.untraced.client());
	}

	/**
	 * Return the client of the factory, {@code null} while that is stopped.
	 */
	private @Nullable Object client() {
		try {
			return this.factory.getNativeClient();
		}
		catch (IllegalStateException ex) {
			return null;
		}
	}

	private static StatefulConnection<byte[], byte[]> connect(AbstractRedisClient client) {
		StatefulConnection<byte[], byte[]> connection = (client instanceof RedisClusterClient cluster)
				? cluster.connect(ByteArrayCodec.INSTANCE) : ((RedisClient) client).connect(ByteArrayCodec.INSTANCE);
		try {
			ServerVersion.check(connection);
			return connection;
		}
		catch (JobStoreException ex) {
			connection.closeAsync();
			throw ex;
		}
	}

	/**
	 * Close what is open. Whatever is used again opens anew.
	 */
	@Override
	public void close() {
		this.commands.close();
		this.bulk.close();
		this.beats.close();
		this.waiting.forEach(HeldConnection::close);
		this.waiting.clear();
		this.replicaLines.close();
		this.untraced.close();
	}

}

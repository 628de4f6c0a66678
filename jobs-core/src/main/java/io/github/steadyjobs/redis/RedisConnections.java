package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.steadyjobs.JobStoreException;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.Assert;

/**
 * The connections of one application. They use the settings of the application's factory,
 * so everything in {@code spring.data.redis} applies to these connections: address,
 * Sentinel, Cluster, TLS and user. The only exception is reading from replicas: these
 * connections always use the primary.
 * <p>
 * Each kind of traffic has its own connection, because a large push would delay other
 * calls on the same connection. Connections open on first use and stay open until the
 * application stops or pauses. Thread safe.
 */
public final class RedisConnections implements AutoCloseable, SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(RedisConnections.class);

	private static final Duration AT_MOST = Duration.ofSeconds(5);

	private static final Duration TIME_TO_CLOSE = Duration.ofSeconds(2);

	private final LettuceConnectionFactory factory;

	private final OwnClient client;

	private final @Nullable ClusterNodes nodes;

	private final NodeConnections commands;

	private final NodeConnections bulk;

	private final NodeConnections beats;

	private final NodeConnections replicated;

	private final Map<HeldConnection, ReplicaWait> replicaWaits = new ConcurrentHashMap<>();

	private final List<HeldConnection> blocking = new CopyOnWriteArrayList<>();

	private final Map<String, KeySpace> keys = new ConcurrentHashMap<>();

	private volatile boolean running;

	/**
	 * Create the connections. No connection is opened yet.
	 * @throws IllegalArgumentException if the factory is not a
	 * {@link LettuceConnectionFactory}
	 */
	public RedisConnections(RedisConnectionFactory factory) {
		Assert.isInstanceOf(LettuceConnectionFactory.class, factory,
				"Steady Jobs needs Lettuce, the default client of Spring Data Redis");
		this.factory = (LettuceConnectionFactory) factory;
		this.client = new OwnClient(this.factory);
		this.nodes = this.factory.isClusterAware() ? new ClusterNodes(this.client) : null;
		this.commands = new NodeConnections(this.nodes, this::address, this::hold);
		this.bulk = new NodeConnections(this.nodes, this::address, this::hold);
		this.beats = new NodeConnections(this.nodes, this::address, this::hold);
		this.replicated = new NodeConnections(this.nodes, this::address, this::hold);
	}

	private HeldConnection hold(@Nullable RedisURI node) {
		return new HeldConnection(() -> open(node),
				() -> (node != null) ? node.getHost() + ":" + node.getPort() : address(), patience());
	}

	private CompletableFuture<StatefulConnection<byte[], byte[]>> open(@Nullable RedisURI node) {
		return ((node != null) ? this.client.connectTo(node) : this.client.connect()).thenCompose(ServerVersion::check)
			.thenApply((connection) -> {
				nodesChanged();
				return connection;
			});
	}

	private Duration patience() {
		return isCluster() ? HeldConnection.PATIENCE_WITH_NODE : HeldConnection.PATIENCE;
	}

	NodeConnections commands() {
		return this.commands;
	}

	NodeConnections bulk() {
		return this.bulk;
	}

	NodeConnections beats() {
		return this.beats;
	}

	/**
	 * Return a new connection for blocking commands. The connection is to the server or,
	 * in a cluster, to the node that serves a key.
	 */
	HeldConnection blocking(byte[] key) {
		HeldConnection connection = new HeldConnection(() -> openTo(key), this::address, patience());
		this.blocking.add(connection);
		return connection;
	}

	private CompletableFuture<StatefulConnection<byte[], byte[]>> openTo(byte[] key) {
		ClusterNodes nodes = this.nodes;
		if (nodes == null) {
			return open(null);
		}
		return nodes.known().thenCompose((view) -> {
			RedisURI node = nodes.serving(key, view);
			return (node != null) ? open(node) : CompletableFuture.failedFuture(NodeConnections.nobodyServes());
		});
	}

	void closeBlocking(HeldConnection connection) {
		connection.close();
		this.blocking.remove(connection);
	}

	/**
	 * Return the object that waits for replicas on the connection that is currently used
	 * for replicated pushes to a queue. There is one object for all queues or, in a
	 * cluster, one per node.
	 * @throws JobStoreException if there is no connection
	 */
	public ReplicaWait replicaWait(String prefix, String queue) {
		byte[] key = keys(prefix).queue(queue).get(QueuePart.META);
		HeldConnection held = Answers.await(this.replicated.serving(key), commandTimeout());
		StatefulConnection<byte[], byte[]> connection = held.get();
		return this.replicaWaits.compute(held, (replicated, wait) -> (wait != null && wait.isOn(connection)) ? wait
				: new ReplicaWait(replicated, connection, commandTimeout()));
	}

	/** Find out again which node serves which slots. Does not wait for the result. */
	void nodesChanged() {
		if (this.nodes != null) {
			this.nodes.refresh();
		}
	}

	/**
	 * Describe where jobs are stored, for logs and messages.
	 * @param prefix the prefix of all keys
	 * @return a string such as "localhost:6379, database 0, prefix 'steadyjobs'", without
	 * passwords
	 */
	public String describe(String prefix) {
		return "%s, prefix '%s'".formatted(address(), prefix);
	}

	private String address() {
		return OwnClient.address(this.factory);
	}

	boolean isCluster() {
		return this.nodes != null;
	}

	KeySpace keys(String prefix) {
		return this.keys.computeIfAbsent(prefix, KeySpace::new);
	}

	/** Return how long a command may take: {@code spring.data.redis.timeout}. */
	Duration commandTimeout() {
		return this.factory.getClientConfiguration().getCommandTimeout();
	}

	/**
	 * Return the timeout for calls of workers, health and metrics: the command timeout,
	 * but at most five seconds.
	 */
	public Duration shortTimeout() {
		return (AT_MOST.compareTo(commandTimeout()) < 0) ? AT_MOST : commandTimeout();
	}

	/**
	 * Return whether the application's own reads may go to replicas. Reads of this
	 * library never go to replicas.
	 */
	public boolean readsReplicas() {
		return this.factory.getClientConfiguration()
			.getReadFrom()
			.filter((from) -> from != ReadFrom.UPSTREAM)
			.isPresent();
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		close();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** Return the factory's phase: the factory and these connections stop together. */
	@Override
	public int getPhase() {
		return this.factory.getPhase();
	}

	/** Close all open connections. Each connection is opened again on its next use. */
	@Override
	public void close() {
		List<CompletableFuture<?>> closing = new ArrayList<>();
		for (NodeConnections connections : List.of(this.commands, this.bulk, this.beats, this.replicated)) {
			closing.addAll(connections.close());
		}
		this.blocking.forEach((connection) -> closing.add(connection.close()));
		this.blocking.clear();
		this.replicaWaits.clear();
		try {
			CompletableFuture.allOf(closing.toArray(CompletableFuture[]::new))
				.get(TIME_TO_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.debug("Not all connections were closed in time", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		if (this.nodes != null) {
			this.nodes.forget();
		}
		this.client.close();
	}

}

package io.github.steadyjobs.redis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.steadyjobs.JobStoreException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.protocol.CommandType;

/**
 * Asks servers about themselves, and changes nothing. Thread safe.
 */
public final class ServerProbe {

	private static final int TRIPS = 3;

	private final RedisConnections connections;

	private final HeldConnection held;

	private final Duration timeout;

	private final KeySpace keys;

	private final QueueMonitor queues;

	private final String prefix;

	private final Clock clock;

	/**
	 * Create a probe.
	 * @param connections the connections to use
	 * @param prefix what all keys begin with
	 * @param clock the clock to compare that of the server with
	 */
	public ServerProbe(RedisConnections connections, String prefix, Clock clock) {
		this.connections = connections;
		this.held = connections.commands();
		this.timeout = connections.commandTimeout();
		this.keys = new KeySpace(prefix);
		this.queues = new QueueMonitor(connections, prefix);
		this.prefix = prefix;
		this.clock = clock;
	}

	/**
	 * Ask the server or, in a cluster, each primary. Four round trips each.
	 * @return what they answered
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public List<ServerFacts> facts() {
		StatefulConnection<byte[], byte[]> connection = this.held.get();
		if (!(connection instanceof StatefulRedisClusterConnection<byte[], byte[]> cluster)) {
			return List.of(facts("", connection));
		}
		List<ServerFacts> facts = new ArrayList<>();
		for (RedisClusterNode node : cluster.getPartitions()) {
			if (!node.getSlots().isEmpty()) {
				facts.add(facts(address(node), open(cluster, node)));
			}
		}
		return facts;
	}

	private static String address(RedisClusterNode node) {
		return node.getUri().getHost() + ":" + node.getUri().getPort();
	}

	private static StatefulConnection<byte[], byte[]> open(StatefulRedisClusterConnection<byte[], byte[]> cluster,
			RedisClusterNode node) {
		try {
			return cluster.getConnection(node.getNodeId());
		}
		catch (RedisException ex) {
			throw RedisErrors.unavailable(address(node), ex);
		}
	}

	private ServerFacts facts(String node, StatefulConnection<byte[], byte[]> connection) {
		Map<String, String> info = info(connection);
		Duration shortest = Duration.ofDays(1);
		Duration skew = Duration.ZERO;
		for (int i = 0; i < TRIPS; i++) {
			long start = System.nanoTime();
			List<Object> answer = await(new DirectCommand(CommandType.TIME, (args) -> args).send(connection));
			Duration trip = Duration.ofNanos(System.nanoTime() - start);
			if (trip.compareTo(shortest) < 0) {
				shortest = trip;
				skew = Duration.between(this.clock.instant().minus(trip.dividedBy(2)), time(answer));
			}
		}
		return new ServerFacts(node, info, shortest, skew);
	}

	private Map<String, String> info(StatefulConnection<byte[], byte[]> connection) {
		// A user who may not ask is a matter of permissions, and nothing else.
		return await(new DirectCommand(CommandType.INFO, (args) -> args).send(connection).exceptionally((error) -> {
			if (RedisErrors.isDenied(error)) {
				return List.of();
			}
			throw RedisErrors.translate(error);
		})).stream().findFirst().map(Answers::utf8).map(ServerFacts::parse).orElse(Map.of());
	}

	private static Instant time(List<Object> answer) {
		return Instant.ofEpochSecond(Long.parseLong(Answers.text(answer, 0)))
			.plus(Long.parseLong(Answers.text(answer, 1)), ChronoUnit.MICROS);
	}

	private <T> T await(CompletableFuture<T> answer) {
		return Waiting.forAnswer(() -> answer, this.held, this.timeout);
	}

	/**
	 * Find out what the user of Redis may not do, and has to.
	 * @param worker whether this application runs jobs, or only enqueues them
	 * @param facts what {@link #facts()} returned
	 * @return what is missing
	 * @throws JobStoreException if Redis is not reachable or did not answer
	 */
	public Denials denials(boolean worker, List<ServerFacts> facts) {
		AccessRule rule = worker ? AccessRule.ofWorker(this.prefix) : AccessRule.ofProducer(this.prefix);
		boolean flags = !facts.isEmpty() && facts.stream().allMatch((server) -> server.version().hasScriptFlags());
		return new PermissionProbe(this.held, this.timeout, this.keys.nothing()).probe(rule, flags);
	}

	/**
	 * Return what looks at the queues in the same Redis.
	 * @return a monitor
	 */
	public QueueMonitor queues() {
		return this.queues;
	}

	/**
	 * Return whether the application reads from replicas, which jobs never do.
	 * @return whether a setting does not apply to jobs
	 */
	public boolean readsReplicas() {
		return this.connections.readsReplicas();
	}

}

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
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;

/**
 * Asks servers about themselves, and changes nothing. Thread safe.
 */
public final class ServerProbe {

	private static final int TRIPS = 3;

	private final RedisConnections connections;

	private final NodeConnections commands;

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
		this.commands = connections.commands();
		this.timeout = connections.commandTimeout();
		this.keys = connections.keys(prefix);
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
		List<ServerFacts> facts = new ArrayList<>();
		Waiting.await(this.commands.orUnavailable(this.commands.all()), this.timeout)
			.forEach((node, connection) -> facts.add(facts(node, connection.get())));
		return facts;
	}

	private ServerFacts facts(String node, StatefulConnection<byte[], byte[]> connection) {
		Map<String, String> info = info(connection);
		Duration shortest = Duration.ofDays(1);
		Duration skew = Duration.ZERO;
		for (int i = 0; i < TRIPS; i++) {
			long start = System.nanoTime();
			List<Object> answer = await(send(CommandType.TIME, connection));
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
		return await(send(CommandType.INFO, connection).exceptionally((error) -> {
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
		return Waiting.await(answer, this.timeout);
	}

	private Sent send(CommandType type, StatefulConnection<byte[], byte[]> connection) {
		return new Sent(type, Sent.args(), this.timeout).on(connection);
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
		HeldConnection held = await(this.commands.orUnavailable(this.commands.serving(this.keys.nothing())));
		return new PermissionProbe(held, this.timeout, this.keys.nothing()).probe(rule, flags);
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

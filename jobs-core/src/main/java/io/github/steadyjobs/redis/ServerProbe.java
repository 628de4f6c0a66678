package io.github.steadyjobs.redis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
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

	private final Duration timeout;

	private final QueueMonitor queues;

	private final Clock clock;

	/**
	 * Create a probe.
	 * @param clock the clock to compare that of the server with
	 */
	public ServerProbe(RedisConnections connections, String prefix, Clock clock) {
		this.connections = connections;
		this.timeout = connections.commandTimeout();
		this.queues = new QueueMonitor(connections, prefix);
		this.clock = clock;
	}

	/**
	 * Ask the server or, in a cluster, each primary. Four round trips each.
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public List<Facts> facts() {
		List<Facts> facts = new ArrayList<>();
		await(this.connections.commands().all())
			.forEach((node, connection) -> facts.add(facts(node, connection.get())));
		return facts;
	}

	private Facts facts(String node, StatefulConnection<byte[], byte[]> connection) {
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
		return new Facts(node, info, shortest, skew);
	}

	private Map<String, String> info(StatefulConnection<byte[], byte[]> connection) {
		// If INFO is not allowed, its fields are not judged.
		return await(send(CommandType.INFO, connection).handle((answer, error) -> {
			if (error == null) {
				return Answers.info(answer);
			}
			if (RedisErrors.isDenied(error)) {
				return Map.of();
			}
			throw RedisErrors.translate(error);
		}));
	}

	private static Instant time(List<Object> answer) {
		return Instant.ofEpochSecond(Long.parseLong(Answers.text(answer, 0)))
			.plus(Long.parseLong(Answers.text(answer, 1)), ChronoUnit.MICROS);
	}

	private <T> T await(CompletableFuture<T> answer) {
		return Answers.await(answer, this.timeout);
	}

	private CompletableFuture<List<Object>> send(CommandType type, StatefulConnection<byte[], byte[]> connection) {
		return Sent.ask(connection, new CommandBytes(type), this.timeout);
	}

	public QueueMonitor queues() {
		return this.queues;
	}

	/** Return whether the application reads from replicas, which jobs never do. */
	public boolean readsReplicas() {
		return this.connections.readsReplicas();
	}

	/**
	 * What a server says about itself.
	 *
	 * @param node host and port in a cluster, otherwise empty
	 * @param info the fields of {@code INFO}, none if that is not allowed
	 * @param roundTrip the shortest of several round trips
	 * @param clockSkew how far the clock of the server is ahead of ours, negative if
	 * behind
	 */
	public record Facts(String node, Map<String, String> info, Duration roundTrip, Duration clockSkew) {

		/**
		 * Return a field of {@code INFO}.
		 * @return its value, empty if the server does not say
		 */
		public Optional<String> text(String field) {
			return Optional.ofNullable(this.info.get(field));
		}

		/**
		 * Return a field of {@code INFO} that holds a whole number.
		 * @return its value, empty if the server does not say
		 */
		public OptionalLong number(String field) {
			String value = this.info.getOrDefault(field, "");
			return value.matches("-?\\d{1,18}") ? OptionalLong.of(Long.parseLong(value)) : OptionalLong.empty();
		}

		public ServerVersion version() {
			return ServerVersion.of(this.info);
		}

	}

}

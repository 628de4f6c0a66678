package io.github.steadyjobs.doctor;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ServerNode;
import io.github.steadyjobs.redis.ServerVersion;

/**
 * Asks servers about themselves, and changes nothing. Thread safe.
 */
public final class ServerProbe {

	private static final int TRIPS = 3;

	private final RedisConnections connections;

	private final QueueMonitor queues;

	private final Clock clock;

	/**
	 * Create a probe.
	 * @param clock the clock to compare that of the server with
	 */
	public ServerProbe(RedisConnections connections, String prefix, Clock clock) {
		this.connections = connections;
		this.queues = new QueueMonitor(connections, prefix);
		this.clock = clock;
	}

	/**
	 * Ask the server or, in a cluster, each primary. Four round trips each.
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public List<Facts> facts() {
		return ServerNode.all(this.connections).stream().map(this::facts).toList();
	}

	private Facts facts(ServerNode node) {
		Map<String, String> info = node.info();
		Duration shortest = Duration.ofDays(1);
		Duration skew = Duration.ZERO;
		for (int i = 0; i < TRIPS; i++) {
			long start = System.nanoTime();
			Instant time = node.time();
			Duration trip = Duration.ofNanos(System.nanoTime() - start);
			if (trip.compareTo(shortest) < 0) {
				shortest = trip;
				skew = Duration.between(this.clock.instant().minus(trip.dividedBy(2)), time);
			}
		}
		return new Facts(node.name(), info, shortest, skew);
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

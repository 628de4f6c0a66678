package io.github.steadyjobs.redis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.steadyjobs.JobStoreException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.StringUtils;

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
		return await(send(CommandType.INFO, connection).exceptionally((error) -> {
			if (RedisErrors.isDenied(error)) {
				return List.of();
			}
			throw RedisErrors.translate(error);
		})).stream().findFirst().map(Answers::utf8).map(Facts::parse).orElse(Map.of());
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

		static Map<String, String> parse(String info) {
			Map<String, String> fields = new HashMap<>();
			info.lines().filter((line) -> !line.startsWith("#")).forEach((line) -> {
				int colon = line.indexOf(':');
				if (colon > 0) {
					fields.put(line.substring(0, colon), line.substring(colon + 1));
				}
			});
			return Map.copyOf(fields);
		}

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

		public Version version() {
			return Version.of(this.info);
		}

	}

	/**
	 * Product and version of the server.
	 *
	 * @param product {@code Redis} or {@code Valkey}, or {@code Dragonfly} or
	 * {@code Garnet}, which pretend to be Redis
	 * @param version the version that the server states
	 */
	public record Version(String product, String version) {

		private static final Logger logger = LoggerFactory.getLogger(Version.class);

		private static final String UNKNOWN = "unknown";

		private static final Duration PATIENCE = Duration.ofSeconds(2);

		private static final Pattern NUMBERS = Pattern.compile("^(\\d+)\\.(\\d+)");

		/** These also state a version of Redis, for compatibility. */
		private static final List<String> OTHERS = List.of("valkey", "dragonfly", "garnet");

		static Version of(Map<String, String> info) {
			for (String other : OTHERS) {
				String version = info.get(other + "_version");
				if (version != null) {
					return new Version(StringUtils.capitalize(other), version);
				}
			}
			return new Version("Redis", info.getOrDefault("redis_version", UNKNOWN));
		}

		/**
		 * Refuse a server that is too old, and close its connection. If asking is not
		 * allowed, the server is assumed to be new enough.
		 */
		static CompletableFuture<StatefulConnection<byte[], byte[]>> check(
				StatefulConnection<byte[], byte[]> connection) {
			CommandBytes info = new CommandBytes(CommandType.INFO).add("server");
			return Sent.ask(connection, info, PATIENCE).handle((answer, error) -> {
				if (error != null) {
					logger.debug("The server does not state its version", error);
					return connection;
				}
				Version version = of(Facts.parse(Answers.utf8(answer.get(0))));
				if (!version.isSupported()) {
					connection.closeAsync();
					throw new JobStoreException(
							"%s is too old: Steady Jobs needs Redis 6.2 or Valkey".formatted(version));
				}
				return connection;
			});
		}

		/**
		 * Return whether the server has the commands that the scripts use, which came
		 * with Redis 6.2. A server that hides its version is assumed to have them.
		 */
		public boolean isSupported() {
			Matcher numbers = NUMBERS.matcher(this.version);
			if (!numbers.find()) {
				return true;
			}
			int major = Integer.parseInt(numbers.group(1));
			return major > 6 || (major == 6 && Integer.parseInt(numbers.group(2)) >= 2);
		}

		public boolean isTested() {
			return this.product.equals("Redis") || this.product.equals("Valkey");
		}

		public boolean isKnown() {
			return !this.version.equals(UNKNOWN);
		}

		@Override
		public String toString() {
			return this.product + " " + this.version;
		}

	}

}

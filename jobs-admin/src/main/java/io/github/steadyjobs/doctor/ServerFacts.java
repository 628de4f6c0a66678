package io.github.steadyjobs.doctor;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import io.github.steadyjobs.redis.ServerNode;

/**
 * Facts about a Redis server that were reported by the server or measured.
 *
 * @param node the host and port of the server in a cluster; otherwise empty
 * @param info the fields of {@code INFO}; empty if that command is not allowed
 * @param roundTrip the time of the fastest of several round trips
 * @param clockSkew how far the clock of the server is ahead of the local clock; negative
 * if it is behind
 */
record ServerFacts(String node, Map<String, String> info, Duration roundTrip, Duration clockSkew) {

	private static final int TRIPS = 3;

	/** Query a server, in four round trips. */
	static ServerFacts of(ServerNode node, Clock clock) {
		Map<String, String> info = node.info();
		Duration shortest = Duration.ofDays(1);
		Duration skew = Duration.ZERO;
		for (int i = 0; i < TRIPS; i++) {
			long start = System.nanoTime();
			Instant time = node.time();
			Duration trip = Duration.ofNanos(System.nanoTime() - start);
			if (trip.compareTo(shortest) < 0) {
				shortest = trip;
				skew = Duration.between(clock.instant().minus(trip.dividedBy(2)), time);
			}
		}
		return new ServerFacts(node.name(), info, shortest, skew);
	}

	/** Return a field of {@code INFO}; empty if the server does not report it. */
	Optional<String> text(String field) {
		return Optional.ofNullable(this.info.get(field));
	}

	/** Return a field of {@code INFO} as a number; empty if it is not an integer. */
	OptionalLong number(String field) {
		String value = this.info.getOrDefault(field, "");
		return value.matches("-?\\d{1,18}") ? OptionalLong.of(Long.parseLong(value)) : OptionalLong.empty();
	}

}

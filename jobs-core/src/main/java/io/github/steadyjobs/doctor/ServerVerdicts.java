package io.github.steadyjobs.doctor;

import java.time.Duration;
import java.util.Optional;

import io.github.steadyjobs.redis.ServerFacts;
import io.github.steadyjobs.redis.ServerVersion;

/**
 * Judges a server: what it is, what it writes down, its clock and how far away it is.
 */
final class ServerVerdicts {

	private static final Duration MOST_SKEW = Duration.ofSeconds(5);

	private static final Duration LONGEST_TRIP = Duration.ofMillis(10);

	private ServerVerdicts() {
	}

	static Optional<Verdict> persistence(ServerFacts facts) {
		boolean logs = facts.number("aof_enabled").orElse(1) == 1;
		if (logs && isOk(facts, "aof_last_write_status")) {
			return Optional.empty();
		}
		if (logs) {
			return Verdict.of("Redis could not write its append-only file, and refuses to write until it can.",
					"Look into the log of Redis, and at the disk that 'dir' is on.");
		}
		if (!isOk(facts, "rdb_last_bgsave_status")) {
			return Verdict.of(
					"Redis has no append-only file, and could not write its last snapshot: a crash loses what was stored since the one before. It may refuse to write, too.",
					"Look into the log of Redis, and set 'appendonly yes'.");
		}
		return Verdict.of(
				"Redis has no append-only file: a crash or restart loses %s."
					.formatted(isSnapshotTaken(facts) ? "every job that was stored since the last snapshot"
							: "every job, as it has written no snapshot since it was started"),
				"Set 'appendonly yes', with 'appendfsync everysec' for at most a second of loss and 'always' for none.");
	}

	private static boolean isOk(ServerFacts facts, String status) {
		return facts.text(status).orElse("ok").equals("ok");
	}

	private static boolean isSnapshotTaken(ServerFacts facts) {
		return facts.number("rdb_saves").orElse(1) > 0;
	}

	static Optional<Verdict> version(ServerFacts facts) {
		ServerVersion version = facts.version();
		if (facts.info().isEmpty()) {
			return Optional.empty();
		}
		if (!version.isTested()) {
			return Verdict.of("The server is %s, with which Steady Jobs is not tested.".formatted(version),
					"Use Redis 6.2 or newer, or Valkey. If you stay with it, run your tests against it.");
		}
		if (!version.isKnown()) {
			return Verdict.of("The server does not tell its version.",
					"Make sure that it is Redis 6.2 or newer, or Valkey.");
		}
		return version.isSupported() ? Optional.empty()
				: Verdict.of("%s is too old for the scripts.".formatted(version), "Use Redis 6.2 or newer, or Valkey.");
	}

	static Optional<Verdict> clockSkew(ServerFacts facts) {
		Duration skew = facts.clockSkew();
		if (skew.abs().compareTo(MOST_SKEW) <= 0) {
			return Optional.empty();
		}
		return Verdict
			.of("The clock of Redis is %d s %s that of this machine. Jobs that are scheduled at a time run that much %s, and the times in payloads are off."
				.formatted(skew.abs().toSeconds(), skew.isNegative() ? "behind" : "ahead of",
						skew.isNegative() ? "late" : "early"),
					"Let both machines synchronise their clocks (NTP).");
	}

	static Optional<Verdict> roundTrip(ServerFacts facts) {
		if (facts.roundTrip().compareTo(LONGEST_TRIP) <= 0) {
			return Optional.empty();
		}
		return Verdict.of(
				"An answer of Redis takes %d ms at best. Every enqueue takes that long, and short jobs take longer to fetch than to run."
					.formatted(facts.roundTrip().toMillis()),
				"Run the application and Redis in the same zone. If only some answers are slow, look at SLOWLOG.");
	}

}

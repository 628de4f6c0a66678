package io.github.steadyjobs.doctor;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import io.github.steadyjobs.doctor.Finding.Severity;
import io.github.steadyjobs.pause.Pauses;
import io.github.steadyjobs.pause.Pauses.Pause;
import io.github.steadyjobs.redis.ServerVersion;

/**
 * A problem with one server or with waiting jobs. Also contains the rules that detect
 * such problems.
 *
 * @param atMost the highest severity that this problem can have, regardless of the
 * configuration
 * @param problem the problem and its consequences
 * @param action what to do
 */
record Verdict(Severity atMost, String problem, String action) {

	private static final int LEAST_PERCENT = 20;

	private static final long MEGABYTE = 1024 * 1024;

	private static final Duration MOST_SKEW = Duration.ofSeconds(5);

	private static final Duration LONGEST_TRIP = Duration.ofMillis(10);

	/** Age from which a pause without an end may have been forgotten. */
	private static final Duration LONGEST_PAUSE = Duration.ofDays(1);

	private static final int MOST_PAUSES = 10;

	static Verdict of(Finding found) {
		return new Verdict(found.severity(), found.problem(), found.action());
	}

	private static Optional<Verdict> of(String problem, String action) {
		return Optional.of(new Verdict(Severity.FAIL, problem, action));
	}

	private static String policy(ServerFacts facts) {
		return facts.text("maxmemory_policy").orElse("noeviction");
	}

	static Optional<Verdict> eviction(ServerFacts facts) {
		String policy = policy(facts);
		if (policy.equals("noeviction")) {
			return Optional.empty();
		}
		String action = "Set 'maxmemory-policy noeviction', and give caches a Redis of their own.";
		if (policy.startsWith("volatile-")) {
			// Keys that hold the state of a job never expire.
			return Optional.of(new Verdict(Severity.WARN,
					"Redis has 'maxmemory-policy %s' and drops keys that expire when its memory is full. Jobs do not expire, but what else the application keeps may be gone, and records of processes with it."
						.formatted(policy),
					action));
		}
		return of(
				"Redis has 'maxmemory-policy %s' and drops keys when its memory is full: all jobs of a queue at once, without an error."
					.formatted(policy),
				action);
	}

	static Optional<Verdict> headroom(ServerFacts facts) {
		long limit = facts.number("maxmemory").orElse(0);
		boolean limited = limit > 0;
		if (!limited) {
			limit = facts.number("total_system_memory").orElse(0);
		}
		long used = facts.number("used_memory").orElse(0);
		if (limit <= 0 || (limit - used) >= limit / 100.0 * LEAST_PERCENT) {
			return Optional.empty();
		}
		String state = "Redis uses %d of %d MB".formatted(used / MEGABYTE, limit / MEGABYTE);
		String remedy = "look for queues that grow ('jobs.queue.size') and for large payloads.";
		if (!limited) {
			return of(state
					+ ", all that its machine has, and no 'maxmemory' is set. The machine may kill it before it can refuse new jobs.",
					"Set 'maxmemory' below what the machine can spare, or " + remedy);
		}
		String policy = policy(facts);
		String consequence = policy.startsWith("allkeys-")
				? "drops keys, and with them jobs ('maxmemory-policy %s').".formatted(policy) : "refuses new jobs.";
		return of(state + ". Once 'maxmemory' is reached, it " + consequence, "Raise 'maxmemory', or " + remedy);
	}

	static Optional<Verdict> persistence(ServerFacts facts) {
		boolean logs = facts.number("aof_enabled").orElse(1) == 1;
		if (logs && isOk(facts, "aof_last_write_status")) {
			return Optional.empty();
		}
		if (logs) {
			return of("Redis could not write its append-only file, and refuses to write until it can.",
					"Look into the log of Redis, and at the disk that 'dir' is on.");
		}
		if (!isOk(facts, "rdb_last_bgsave_status")) {
			return of(
					"Redis has no append-only file, and could not write its last snapshot: a crash loses what was stored since the one before. It may refuse to write, too.",
					"Look into the log of Redis, and set 'appendonly yes'.");
		}
		boolean snapshot = facts.number("rdb_saves").orElse(1) > 0;
		return of(
				"Redis has no append-only file: a crash or restart loses %s."
					.formatted(snapshot ? "every job that was stored since the last snapshot"
							: "every job, as it has written no snapshot since it was started"),
				"Set 'appendonly yes', with 'appendfsync everysec' for at most a second of loss and 'always' for none.");
	}

	private static boolean isOk(ServerFacts facts, String status) {
		return facts.text(status).orElse("ok").equals("ok");
	}

	static Optional<Verdict> version(ServerFacts facts) {
		ServerVersion version = ServerVersion.of(facts.info());
		if (facts.info().isEmpty()) {
			return Optional.empty();
		}
		if (!version.isTested()) {
			return of("The server is %s, with which Steady Jobs is not tested.".formatted(version),
					"Use Redis 6.2 or newer, or Valkey. If you stay with it, run your tests against it.");
		}
		if (!version.isKnown()) {
			return of("The server does not state its version.", "Make sure that it is Redis 6.2 or newer, or Valkey.");
		}
		return version.isSupported() ? Optional.empty()
				: of("%s is too old for the scripts.".formatted(version), "Use Redis 6.2 or newer, or Valkey.");
	}

	static Optional<Verdict> clockSkew(ServerFacts facts) {
		Duration skew = facts.clockSkew();
		if (skew.abs().compareTo(MOST_SKEW) <= 0) {
			return Optional.empty();
		}
		return of(
				"The clock of Redis is %d s %s that of this machine. Jobs that are scheduled at a time run that much %s, and the times in payloads are off."
					.formatted(skew.abs().toSeconds(), skew.isNegative() ? "behind" : "ahead of",
							skew.isNegative() ? "late" : "early"),
				"Let both machines synchronise their clocks (NTP).");
	}

	static Optional<Verdict> roundTrip(ServerFacts facts) {
		if (facts.roundTrip().compareTo(LONGEST_TRIP) <= 0) {
			return Optional.empty();
		}
		return of(
				"An answer of Redis takes %d ms at best. Every enqueue takes that long, and short jobs take longer to fetch than to run."
					.formatted(facts.roundTrip().toMillis()),
				"Run the application and Redis in the same zone. If only some answers are slow, look at SLOWLOG.");
	}

	static Optional<Verdict> pauses(Pauses pauses) {
		List<Pause> oldestFirst = pauses.all().stream().sorted(Comparator.comparingLong(Pause::since)).toList();
		if (oldestFirst.isEmpty()) {
			return Optional.empty();
		}
		String names = oldestFirst.stream()
			.limit(MOST_PAUSES)
			.map((pause) -> "%s (%s)".formatted(pause.target(), pause))
			.collect(Collectors.joining(", "));
		int others = Math.max(0, oldestFirst.size() - MOST_PAUSES);
		boolean maybeForgotten = oldestFirst.stream()
			.anyMatch((pause) -> pause.until() == 0 && pauses.now() - pause.since() > LONGEST_PAUSE.toMillis());
		// Pauses are requested, so they are never an error.
		return Optional.of(new Verdict(maybeForgotten ? Severity.WARN : Severity.INFO,
				"These pauses keep jobs waiting: %s%s.".formatted(names,
						(others > 0) ? " and %d more".formatted(others) : ""),
				"Resume each once its reason is gone, with 'JobPauses' or the endpoint 'jobs'."));
	}

}

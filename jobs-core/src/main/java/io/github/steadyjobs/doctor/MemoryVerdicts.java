package io.github.steadyjobs.doctor;

import java.util.Optional;

import io.github.steadyjobs.redis.ServerFacts;

/**
 * Judges what Redis keeps when memory runs out: policy and headroom.
 */
final class MemoryVerdicts {

	private static final int LEAST_PERCENT = 20;

	private static final long MEGABYTE = 1024 * 1024;

	private MemoryVerdicts() {
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
			// No key that the state of a job depends on expires.
			return Optional.of(new Verdict(Severity.WARN,
					"Redis has 'maxmemory-policy %s' and drops keys that expire when its memory is full. Jobs do not expire, but what else the application keeps may be gone, and records of processes with it."
						.formatted(policy),
					action));
		}
		return Verdict
			.of("Redis has 'maxmemory-policy %s' and drops keys when its memory is full: all jobs of a queue at once, without an error."
				.formatted(policy), action);
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
		return limited
				? Verdict.of(state + ". Once 'maxmemory' is reached, it " + consequence(policy(facts)),
						"Raise 'maxmemory', or " + remedy)
				: Verdict.of(state
						+ ", all that its machine has, and no 'maxmemory' is set. The machine may kill it before it can refuse new jobs.",
						"Set 'maxmemory' below what the machine can spare, or " + remedy);
	}

	private static String consequence(String policy) {
		return policy.startsWith("allkeys-")
				? "drops keys, and with them jobs ('maxmemory-policy %s').".formatted(policy) : "refuses new jobs.";
	}

}

package io.github.steadyjobs.benchmarks.duplicates;

import java.util.Objects;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Idempotent.IfDuplicate;
import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.Job;

import org.springframework.data.redis.core.HashOperations;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The job of the program. It processes the newest state of a key, and detects whether
 * another run for the same key is in progress.
 */
class DuplicateJobs {

	static final String QUEUE = "duplicates";

	private final StringRedisTemplate redis;

	private final Ledger ledger;

	DuplicateJobs(StringRedisTemplate redis, Ledger ledger) {
		this.redis = redis;
		this.ledger = ledger;
	}

	@Job(name = "duplicates", queue = QUEUE)
	@Idempotent(strategy = Strategy.UNTIL_EXECUTED, ifDuplicate = IfDuplicate.RUN_ONCE_MORE)
	void process(int key) {
		HashOperations<String, String, String> hashes = this.redis.opsForHash();
		String field = Integer.toString(key);
		String pid = Long.toString(ProcessHandle.current().pid());
		if (!hashes.putIfAbsent(this.ledger.running(), field, pid)) {
			String other = Objects.requireNonNullElse(hashes.get(this.ledger.running(), field), pid);
			if (ProcessHandle.of(Long.parseLong(other)).isPresent()) {
				hashes.increment(this.ledger.counts(), "overlapping_runs", 1);
			}
			hashes.put(this.ledger.running(), field, pid);
		}
		String state = hashes.get(this.ledger.states(), field);
		hashes.put(this.ledger.processed(), field, Objects.requireNonNullElse(state, "0"));
		hashes.increment(this.ledger.counts(), "runs", 1);
		hashes.delete(this.ledger.running(), field);
	}

}

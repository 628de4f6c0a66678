package io.github.steadyjobs.benchmarks.duplicates;

import java.util.Random;

import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Decides when a process is killed. Kills depend on progress instead of time, because
 * timed kills could hit processes that have not begun yet.
 */
final class Kills {

	private final StringRedisTemplate redis;

	private final Ledger ledger;

	private final int enqueues;

	private final int kills;

	private final Random random;

	private int done;

	Kills(StringRedisTemplate redis, Ledger ledger, int enqueues, int kills, Random random) {
		this.redis = redis;
		this.ledger = ledger;
		this.enqueues = enqueues;
		this.kills = kills;
		this.random = random;
	}

	/**
	 * Return whether the next process is to be killed now. If so, count the kill as done.
	 */
	boolean isDue() {
		if (this.done == this.kills) {
			return false;
		}
		Object enqueued = this.redis.opsForHash().get(this.ledger.counts(), "enqueues");
		long progress = (enqueued != null) ? Long.parseLong((String) enqueued) : 0;
		// Spread the kills over the first half of the work: killed processes leave part
		// of their work undone, so the end may never be reached.
		boolean due = progress * 2 * (this.kills + 1) > (long) this.enqueues * (this.done + 1);
		this.done += due ? 1 : 0;
		return due;
	}

	int victim(int processes) {
		return this.random.nextInt(processes);
	}

	/**
	 * Return how much work the replacement of a killed process has to do.
	 */
	int enqueuesOfTheNext(int processes) {
		return this.enqueues / processes / 2;
	}

}

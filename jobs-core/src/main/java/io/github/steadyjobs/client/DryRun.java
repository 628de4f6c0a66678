package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Remembers the last 10,000 different jobs that this process has enqueued, to tell which
 * would have been duplicates. Costs no round trip and knows nothing of other processes.
 * Thread safe.
 */
final class DryRun {

	private static final int REMEMBERED = 10_000;

	private final long ttl;

	private final LongSupplier clock;

	private final Map<String, Long> enqueued = new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
			return size() > REMEMBERED;
		}

	};

	/**
	 * Create a memory.
	 * @param ttl how long a job is remembered
	 * @param clock returns what {@link System#nanoTime()} does
	 */
	DryRun(Duration ttl, LongSupplier clock) {
		this.ttl = (ttl.toDays() < 365) ? ttl.toNanos() : Duration.ofDays(365).toNanos();
		this.clock = clock;
	}

	/**
	 * Remember a job.
	 * @return whether an equal one is remembered
	 */
	synchronized boolean isRepeated(String key) {
		long now = this.clock.getAsLong();
		Long before = this.enqueued.get(key);
		if (before != null && now - before < this.ttl) {
			return true;
		}
		this.enqueued.remove(key);
		this.enqueued.put(key, now);
		return false;
	}

}

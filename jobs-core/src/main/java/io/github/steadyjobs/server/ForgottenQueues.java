package io.github.steadyjobs.server;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.redis.QueueMonitor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forgets the names of queues that have had no jobs, processes, ticks or pause for an
 * hour. Otherwise a check of all queues would take longer with each name that was ever
 * used. Used by one thread.
 * <p>
 * A producer registers a name no more than once a minute. So a forgotten name is checked
 * for a few more minutes, and is registered again if a job has arrived in the meantime.
 */
final class ForgottenQueues {

	static final long AFTER = TimeUnit.HOURS.toNanos(1);

	/**
	 * How long a forgotten name is still checked. After a longer gap between two checks,
	 * all earlier observations are discarded.
	 */
	static final long LOOKED_AT_FOR = TimeUnit.MINUTES.toNanos(5);

	private static final Logger logger = LoggerFactory.getLogger(ForgottenQueues.class);

	private final LivenessStore store;

	private final QueueMonitor monitor;

	/** The names of idle queues, and when each was first seen idle. */
	private final Map<String, Long> idle = new HashMap<>();

	/** The forgotten names, and when each was forgotten. */
	private final Map<String, Long> forgotten = new HashMap<>();

	private long lookedAt;

	ForgottenQueues(LivenessStore store, QueueMonitor monitor) {
		this.store = store;
		this.monitor = monitor;
	}

	/**
	 * Check all names once. Must be called every minute.
	 * @param names the queues that this process does not serve
	 * @param now the current {@link System#nanoTime()}
	 * @throws io.github.steadyjobs.JobStoreException if Redis is not reachable or did not
	 * answer
	 */
	void look(Collection<String> names, long now) {
		if (now - this.lookedAt > LOOKED_AT_FOR) {
			// During the gap, the checks may have been made by another process, or not at
			// all.
			this.idle.clear();
			this.forgotten.clear();
		}
		this.lookedAt = now;
		restoreUsed(now);
		Set<String> found = this.monitor.idle(names);
		this.idle.keySet().retainAll(found);
		Set<String> over = new HashSet<>();
		for (String queue : found) {
			if (now - this.idle.computeIfAbsent(queue, (name) -> now) >= AFTER) {
				over.add(queue);
			}
		}
		if (!over.isEmpty()) {
			this.store.forget(over);
			this.idle.keySet().removeAll(over);
			over.forEach((queue) -> this.forgotten.put(queue, now));
			logger.info("{} queue(s) had neither jobs nor processes for an hour and are forgotten", over.size());
			restoreUsed(now);
		}
	}

	private void restoreUsed(long now) {
		Set<String> used = new HashSet<>(this.forgotten.keySet());
		used.removeAll(this.monitor.idle(this.forgotten.keySet()));
		if (!used.isEmpty()) {
			this.store.register(used);
			this.forgotten.keySet().removeAll(used);
		}
		this.forgotten.values().removeIf((since) -> now - since > LOOKED_AT_FOR);
	}

}

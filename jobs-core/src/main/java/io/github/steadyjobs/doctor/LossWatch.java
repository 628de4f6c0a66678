package io.github.steadyjobs.doctor;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.DataSet;
import io.github.steadyjobs.redis.QueueMonitor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that Redis has lost data, for a process that only enqueues. Workers notice it
 * with the answers to their claims and heartbeats. Thread safe.
 */
final class LossWatch {

	private static final Logger logger = LoggerFactory.getLogger(LossWatch.class);

	private final QueueMonitor queues;

	private final Map<String, DataSet> known = new HashMap<>();

	private final Map<String, String> losses = new TreeMap<>();

	LossWatch(QueueMonitor queues) {
		this.queues = queues;
	}

	/**
	 * Compare what queues say of their data with what they said before.
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	synchronized void look() {
		// Also those whose name is lost too.
		Set<String> names = new TreeSet<>(this.known.keySet());
		names.addAll(this.queues.queues());
		this.queues.dataSets(names).forEach((queue, found) -> {
			String loss = loss(this.known.put(queue, found), found);
			if (loss != null) {
				this.losses.put(queue, loss);
				logger.error(
						"Redis has lost data of queue {}: {}. Jobs that were enqueued meanwhile may be missing. {}",
						queue, loss, this.queues.causesOfLoss());
			}
		});
	}

	private static @Nullable String loss(@Nullable DataSet before, DataSet found) {
		if (before == null || before.epoch().isEmpty()) {
			return null;
		}
		if (!before.epoch().equals(found.epoch())) {
			return "everything";
		}
		return (found.seq() < before.seq()) ? "its last %d changes".formatted(before.seq() - found.seq()) : null;
	}

	synchronized Map<String, String> losses() {
		return new TreeMap<>(this.losses);
	}

}

package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

import io.github.steadyjobs.admin.QueueState;

/**
 * Records the sizes of all queues for the last ten minutes, at the times at which
 * somebody was looking. Thread-safe.
 */
final class Trends {

	/** The number of steps that are kept. */
	static final int STEPS = 40;

	private static final Duration STEP = Duration.ofSeconds(15);

	private final NavigableMap<Long, Map<String, Long>> steps = new TreeMap<>();

	synchronized void add(Instant at, List<QueueState> queues) {
		Map<String, Long> sizes = new HashMap<>();
		queues.forEach((queue) -> sizes.put(queue.name(), queue.ready()));
		long step = at.getEpochSecond() / STEP.toSeconds();
		this.steps.put(step, sizes);
		this.steps.headMap(step - STEPS, true).clear();
	}

	/** Return the trend of a queue, up to the size that was added last. */
	synchronized Trend of(String queue) {
		Trend trend = new Trend(STEP, STEPS);
		if (!this.steps.isEmpty()) {
			long first = this.steps.lastKey() - STEPS + 1;
			this.steps.forEach((step, sizes) -> {
				Long size = sizes.get(queue);
				if (size != null) {
					trend.set((int) (step - first), size);
				}
			});
		}
		return trend;
	}

}

package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Serves the queue first whose oldest job has waited longest. Measures at most four times
 * a second, as each measurement is a round trip. Used by one thread.
 */
final class LagOrder implements QueueOrder {

	private static final long MEASURE_EVERY = Duration.ofMillis(250).toNanos();

	private final Lags lags;

	private List<String> order;

	private final LongSupplier nanoTime;

	private long measured;

	LagOrder(List<String> queues, Lags lags, LongSupplier nanoTime) {
		this.order = queues;
		this.lags = lags;
		this.nanoTime = nanoTime;
		this.measured = nanoTime.getAsLong() - MEASURE_EVERY;
	}

	@Override
	public Plan plan(int workers) {
		long now = this.nanoTime.getAsLong();
		if (now - this.measured >= MEASURE_EVERY) {
			this.order = byLag(this.order, this.lags.of(this.order));
			this.measured = now;
		}
		return Plan.inOrder(this.order, workers);
	}

	private static List<String> byLag(List<String> queues, List<Duration> lags) {
		Map<String, Duration> byQueue = new HashMap<>();
		for (int i = 0; i < queues.size(); i++) {
			byQueue.put(queues.get(i), lags.get(i));
		}
		List<String> order = new ArrayList<>(queues);
		order.sort(Comparator.comparing(byQueue::get, Comparator.reverseOrder()));
		return order;
	}

	/**
	 * Measures how long the oldest job of each queue has waited.
	 */
	@FunctionalInterface
	interface Lags {

		List<Duration> of(List<String> queues);

	}

}

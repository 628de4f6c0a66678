package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Serves the queue first whose oldest job has waited longest. Measures at most four times
 * a second, as each measurement is a round trip, and shares out by the one before
 * meanwhile. Used by one thread at a time.
 */
final class LagOrder implements QueueOrder {

	private static final long MEASURE_EVERY = Duration.ofMillis(250).toNanos();

	private final Lags lags;

	private final LongSupplier nanoTime;

	private volatile List<String> order;

	private @Nullable CompletableFuture<?> measurement;

	private long measuredAt;

	private volatile boolean measured;

	LagOrder(List<String> queues, Lags lags, LongSupplier nanoTime) {
		this.order = queues;
		this.lags = lags;
		this.nanoTime = nanoTime;
		this.measuredAt = nanoTime.getAsLong() - MEASURE_EVERY;
	}

	/**
	 * {@inheritDoc}
	 * @return nothing before there is a first measurement
	 */
	@Override
	public Map<String, Integer> share(int room, Set<String> among) {
		long now = this.nanoTime.getAsLong();
		if ((this.measurement == null || this.measurement.isDone()) && now - this.measuredAt >= MEASURE_EVERY) {
			this.measuredAt = now;
			this.measurement = this.lags.of(this.order)
				.thenAccept(this::sort)
				.whenComplete((sorted, failure) -> this.measured = true);
		}
		return this.measured ? Map.of(QueueOrder.firstOf(this.order, among), room) : Map.of();
	}

	private void sort(Map<String, Duration> lags) {
		List<String> sorted = new ArrayList<>(this.order);
		sorted
			.sort(Comparator.comparing((queue) -> lags.getOrDefault(queue, Duration.ZERO), Comparator.reverseOrder()));
		this.order = List.copyOf(sorted);
	}

	/**
	 * Measures how long the oldest job of each queue has waited.
	 */
	@FunctionalInterface
	interface Lags {

		CompletableFuture<Map<String, Duration>> of(List<String> queues);

	}

}

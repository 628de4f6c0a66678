package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * Gives priority to the queue whose oldest job has waited longest. Lags are measured at
 * most four times a second, because each measurement is a round trip. Between
 * measurements, the previous result is used; before the first result, the listed order is
 * used.
 */
final class LagOrder implements QueueOrder {

	private static final long MEASURE_EVERY = Duration.ofMillis(250).toNanos();

	private final List<String> names;

	private final Lags lags;

	private final LongSupplier nanoTime;

	private volatile int[] order;

	private @Nullable CompletableFuture<?> measurement;

	private long measuredAt;

	LagOrder(List<String> names, Lags lags, LongSupplier nanoTime) {
		this.names = names;
		this.lags = lags;
		this.nanoTime = nanoTime;
		this.order = IntStream.range(0, names.size()).toArray();
		this.measuredAt = nanoTime.getAsLong() - MEASURE_EVERY;
	}

	@Override
	public void share(int room, boolean[] among, int[] shares) {
		long now = this.nanoTime.getAsLong();
		if ((this.measurement == null || this.measurement.isDone()) && now - this.measuredAt >= MEASURE_EVERY) {
			this.measuredAt = now;
			this.measurement = this.lags.of(this.names).thenAccept(this::sort);
		}
		int[] order = this.order;
		int first = 0;
		while (!among[order[first]]) {
			first++;
		}
		shares[order[first]] += room;
	}

	private void sort(Map<String, Duration> lags) {
		// Queues with equal lags keep their relative order.
		this.order = Arrays.stream(this.order)
			.boxed()
			.sorted(Comparator.comparing((queue) -> lags.getOrDefault(this.names.get(queue), Duration.ZERO),
					Comparator.reverseOrder()))
			.mapToInt(Integer::intValue)
			.toArray();
	}

	/** Measures how long the oldest job of each queue has waited. */
	@FunctionalInterface
	interface Lags {

		CompletableFuture<Map<String, Duration>> of(List<String> queues);

	}

}

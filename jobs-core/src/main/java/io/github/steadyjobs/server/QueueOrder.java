package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

import io.github.steadyjobs.server.Capsule.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Shares room for jobs out among the queues of a capsule. Used by one thread at a time.
 */
interface QueueOrder {

	/**
	 * Share out anew at every fetch: fixed shares would starve a queue.
	 * @param room how many jobs there is room for, at least 1
	 * @param among the queues that may have jobs, at least one
	 * @return queues and how many jobs to ask each of them for, all of the room together
	 */
	Map<String, Integer> share(int room, Set<String> among);

	static QueueOrder of(Capsule capsule, Lags lags, RandomGenerator random) {
		List<String> names = capsule.queueNames();
		return switch (capsule.order()) {
			case STRICT -> (room, among) -> Map.of(firstOf(names, among), room);
			case WEIGHTED -> new WeightedOrder(capsule.queues(), random);
			case RANDOM -> new WeightedOrder(names.stream().map((name) -> new Queue(name, 1)).toList(), random);
			case ROUND_ROBIN -> new RoundRobinOrder(names);
			case LAG -> new LagOrder(names, lags, System::nanoTime);
		};
	}

	static String firstOf(List<String> queues, Set<String> among) {
		for (String queue : queues) {
			if (among.contains(queue)) {
				return queue;
			}
		}
		throw new IllegalArgumentException(among + " has none of " + queues);
	}

	/**
	 * Draws a queue for each job, with probabilities in proportion to the weights.
	 */
	final class WeightedOrder implements QueueOrder {

		private final List<Queue> queues;

		private final RandomGenerator random;

		WeightedOrder(List<Queue> queues, RandomGenerator random) {
			this.queues = queues;
			this.random = random;
		}

		@Override
		public Map<String, Integer> share(int room, Set<String> among) {
			if (among.size() == 1) {
				return Map.of(among.iterator().next(), room);
			}
			List<Queue> candidates = this.queues.stream().filter((queue) -> among.contains(queue.name())).toList();
			int lots = candidates.stream().mapToInt(WeightedOrder::lots).sum();
			Map<String, Integer> shares = new LinkedHashMap<>();
			for (int i = 0; i < room; i++) {
				shares.merge(draw(candidates, lots), 1, Integer::sum);
			}
			return shares;
		}

		private String draw(List<Queue> candidates, int lots) {
			int lot = this.random.nextInt(lots);
			int drawn = 0;
			while (lot >= lots(candidates.get(drawn))) {
				lot -= lots(candidates.get(drawn++));
			}
			return candidates.get(drawn).name();
		}

		private static int lots(Queue queue) {
			return Math.max(queue.weight(), 1);
		}

	}

	/**
	 * Gives each queue a job in turn, and goes on where it stopped.
	 */
	final class RoundRobinOrder implements QueueOrder {

		private final List<String> queues;

		RoundRobinOrder(List<String> queues) {
			this.queues = new ArrayList<>(queues);
		}

		@Override
		public Map<String, Integer> share(int room, Set<String> among) {
			Map<String, Integer> shares = new LinkedHashMap<>();
			for (int i = 0; i < room; i++) {
				String next = firstOf(this.queues, among);
				this.queues.remove(next);
				this.queues.add(next);
				shares.merge(next, 1, Integer::sum);
			}
			return shares;
		}

	}

	/**
	 * Serves the queue first whose oldest job has waited longest. Measures at most four
	 * times a second, because each measurement is a round trip, and meanwhile shares out
	 * by the previous one.
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
			sorted.sort(Comparator.comparing((queue) -> lags.getOrDefault(queue, Duration.ZERO),
					Comparator.reverseOrder()));
			this.order = List.copyOf(sorted);
		}

	}

	/**
	 * Measures how long the oldest job of each queue has waited.
	 */
	@FunctionalInterface
	interface Lags {

		CompletableFuture<Map<String, Duration>> of(List<String> queues);

	}

}

package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * Shares out room for jobs among the queues of a capsule. Used by one thread at a time.
 */
interface QueueOrder {

	/**
	 * Share out room anew for every fetch, because fixed shares would starve a queue.
	 * @param room how many jobs there is room for, at least 1
	 * @param among which queues of the capsule may have jobs, at least one
	 * @param shares how many jobs to ask each queue of the capsule for; the room is added
	 * to these, all of it unless no queue is to be asked now
	 */
	void share(int room, boolean[] among, int[] shares);

	/** Return the first queue that may have jobs. */
	static int first(boolean[] among) {
		int first = 0;
		while (!among[first]) {
			first++;
		}
		return first;
	}

	private static int[] numbers(int count) {
		return IntStream.range(0, count).toArray();
	}

	/**
	 * Draws a queue for each job, with probabilities in proportion to the weights.
	 */
	final class WeightedOrder implements QueueOrder {

		private final int[] weights;

		private final RandomGenerator random;

		WeightedOrder(int[] weights, RandomGenerator random) {
			this.weights = weights;
			this.random = random;
		}

		@Override
		public void share(int room, boolean[] among, int[] shares) {
			int lots = 0;
			for (int i = 0; i < among.length; i++) {
				lots += among[i] ? this.weights[i] : 0;
			}
			int first = first(among);
			if (lots == this.weights[first]) {
				shares[first] += room;
				return;
			}
			for (int i = 0; i < room; i++) {
				shares[draw(among, lots)]++;
			}
		}

		private int draw(boolean[] among, int lots) {
			int lot = this.random.nextInt(lots);
			int drawn = first(among);
			while (!among[drawn] || lot >= this.weights[drawn]) {
				lot -= among[drawn] ? this.weights[drawn] : 0;
				drawn++;
			}
			return drawn;
		}

	}

	/**
	 * Gives each queue a job in turn, and continues where it stopped.
	 */
	final class RoundRobinOrder implements QueueOrder {

		private final int[] turns;

		RoundRobinOrder(int queues) {
			this.turns = numbers(queues);
		}

		@Override
		public void share(int room, boolean[] among, int[] shares) {
			for (int i = 0; i < room; i++) {
				int turn = 0;
				while (!among[this.turns[turn]]) {
					turn++;
				}
				int next = this.turns[turn];
				System.arraycopy(this.turns, turn + 1, this.turns, turn, this.turns.length - turn - 1);
				this.turns[this.turns.length - 1] = next;
				shares[next]++;
			}
		}

	}

	/**
	 * First serves the queue whose oldest job has waited longest. Measures at most four
	 * times a second, because each measurement is a round trip, and meanwhile uses the
	 * previous one; at first, the order as listed.
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
			this.order = numbers(names.size());
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
			// Queues that have waited equally long stay in order.
			this.order = Arrays.stream(this.order)
				.boxed()
				.sorted(Comparator.comparing((queue) -> lags.getOrDefault(this.names.get(queue), Duration.ZERO),
						Comparator.reverseOrder()))
				.mapToInt(Integer::intValue)
				.toArray();
		}

	}

	/**
	 * Shares out room among queues, and the room of each queue among its parts.
	 */
	final class PartOrder implements QueueOrder {

		private final QueueOrder queues;

		private final List<QueueOrder> parts;

		private final int[] sizes;

		/**
		 * Create the order.
		 * @param queues the order among the queues
		 * @param parts for each queue, the order among its parts
		 * @param sizes for each queue, how many parts it has
		 */
		PartOrder(QueueOrder queues, List<QueueOrder> parts, int[] sizes) {
			this.queues = queues;
			this.parts = parts;
			this.sizes = sizes;
		}

		@Override
		public void share(int room, boolean[] among, int[] shares) {
			boolean[] amongQueues = new boolean[this.sizes.length];
			for (int queue = 0, part = 0; queue < this.sizes.length; queue++) {
				for (int end = part + this.sizes[queue]; part < end; part++) {
					amongQueues[queue] |= among[part];
				}
			}
			int[] sharesOfQueues = new int[this.sizes.length];
			this.queues.share(room, amongQueues, sharesOfQueues);
			for (int queue = 0, first = 0; queue < this.sizes.length; first += this.sizes[queue++]) {
				if (sharesOfQueues[queue] > 0) {
					int[] sharesOfParts = new int[this.sizes[queue]];
					this.parts.get(queue)
						.share(sharesOfQueues[queue], Arrays.copyOfRange(among, first, first + this.sizes[queue]),
								sharesOfParts);
					for (int i = 0; i < sharesOfParts.length; i++) {
						shares[first + i] += sharesOfParts[i];
					}
				}
			}
		}

	}

	/** Measures how long the oldest job of each queue has waited. */
	@FunctionalInterface
	interface Lags {

		CompletableFuture<Map<String, Duration>> of(List<String> queues);

	}

	/**
	 * Measures the lags of many shards in rounds of {@value #MOST_AT_ONCE}: each takes a
	 * script, and a queue may have a thousand shards. Shards that were not measured this
	 * time keep the result of an earlier round. Used for one measurement at a time.
	 */
	final class LagRounds implements Lags {

		/** The most that one measurement asks. */
		static final int MOST_AT_ONCE = 64;

		private final Lags lags;

		private final Map<String, Duration> known = new ConcurrentHashMap<>();

		private int next;

		LagRounds(Lags lags) {
			this.lags = lags;
		}

		@Override
		public CompletableFuture<Map<String, Duration>> of(List<String> queues) {
			List<String> round = new ArrayList<>();
			for (int i = Math.min(MOST_AT_ONCE, queues.size()); i > 0; i--) {
				this.next = (this.next < queues.size()) ? this.next : 0;
				round.add(queues.get(this.next++));
			}
			return this.lags.of(round).thenApply((measured) -> {
				round.forEach(this.known::remove);
				this.known.putAll(measured);
				return Map.copyOf(this.known);
			});
		}

	}

}

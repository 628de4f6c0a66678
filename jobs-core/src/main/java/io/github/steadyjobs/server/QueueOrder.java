package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

import io.github.steadyjobs.server.Capsule.Queue;

/**
 * Shares room for jobs out among the queues of a capsule. Used by one thread at a time.
 */
interface QueueOrder {

	/**
	 * Share out anew, as every fetch does: fixed shares would starve a queue.
	 * @param room how many jobs there is room for, at least 1
	 * @param among the queues that may have jobs, at least one
	 * @return queues and how many jobs to ask each of them for, all of the room together
	 */
	Map<String, Integer> share(int room, Set<String> among);

	static QueueOrder of(Capsule capsule, LagOrder.Lags lags, RandomGenerator random) {
		List<String> names = capsule.queueNames();
		return switch (capsule.order()) {
			case STRICT -> (room, among) -> Map.of(firstOf(names, among), room);
			case WEIGHTED -> new DrawnOrder(capsule.queues(), random);
			case RANDOM -> new DrawnOrder(names.stream().map((name) -> new Queue(name, 1)).toList(), random);
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
	final class DrawnOrder implements QueueOrder {

		private final List<Queue> queues;

		private final RandomGenerator random;

		DrawnOrder(List<Queue> queues, RandomGenerator random) {
			this.queues = queues;
			this.random = random;
		}

		@Override
		public Map<String, Integer> share(int room, Set<String> among) {
			if (among.size() == 1) {
				return Map.of(among.iterator().next(), room);
			}
			List<Queue> candidates = this.queues.stream().filter((queue) -> among.contains(queue.name())).toList();
			int lots = candidates.stream().mapToInt(DrawnOrder::lots).sum();
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

}

package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import io.github.steadyjobs.server.Capsule.Queue;

/**
 * Shares free workers out among the queues of a capsule. Used by one thread.
 */
interface QueueOrder {

	/**
	 * Make a new plan, as every fetch does: fixed shares would starve a queue.
	 */
	Plan plan(int workers);

	static QueueOrder of(Capsule capsule, LagOrder.Lags lags, RandomGenerator random) {
		return switch (capsule.order()) {
			case STRICT -> (workers) -> Plan.inOrder(capsule.queueNames(), workers);
			case WEIGHTED -> new DrawnOrder(capsule.queues(), random);
			case RANDOM ->
				new DrawnOrder(capsule.queues().stream().map((queue) -> new Queue(queue.name(), 1)).toList(), random);
			case ROUND_ROBIN -> new RoundRobinOrder(capsule.queueNames());
			case LAG -> new LagOrder(capsule.queueNames(), lags, System::nanoTime);
		};
	}

	/**
	 * What to ask for first, and where to go with the workers that come back empty.
	 *
	 * @param shares queues and how many workers each gets
	 * @param order all queues, in the order in which they get what is left
	 */
	record Plan(Map<String, Integer> shares, List<String> order) {

		static Plan inOrder(List<String> queues, int workers) {
			return new Plan(Map.of(queues.get(0), workers), queues);
		}

	}

	/**
	 * Draws a queue for each worker, with probabilities in proportion to the weights.
	 */
	final class DrawnOrder implements QueueOrder {

		/**
		 * Each name as often as its weight says, so that one draw is one array access.
		 */
		private final List<String> lots = new ArrayList<>();

		private final int queues;

		private final RandomGenerator random;

		DrawnOrder(List<Queue> queues, RandomGenerator random) {
			for (Queue queue : queues) {
				for (int i = 0; i < Math.max(queue.weight(), 1); i++) {
					this.lots.add(queue.name());
				}
			}
			this.queues = queues.size();
			this.random = random;
		}

		@Override
		public Plan plan(int workers) {
			if (this.queues == 1) {
				return Plan.inOrder(this.lots.subList(0, 1), workers);
			}
			Map<String, Integer> shares = new LinkedHashMap<>();
			for (int i = 0; i < workers; i++) {
				shares.merge(draw(), 1, Integer::sum);
			}
			LinkedHashSet<String> order = new LinkedHashSet<>(shares.keySet());
			while (order.size() < this.queues) {
				order.add(draw());
			}
			return new Plan(shares, List.copyOf(order));
		}

		private String draw() {
			return this.lots.get(this.random.nextInt(this.lots.size()));
		}

	}

	/**
	 * Gives each queue a worker in turn, and goes on where it stopped.
	 */
	final class RoundRobinOrder implements QueueOrder {

		private final List<String> queues;

		private int next;

		RoundRobinOrder(List<String> queues) {
			this.queues = queues;
		}

		@Override
		public Plan plan(int workers) {
			List<String> order = new ArrayList<>();
			for (int i = 0; i < this.queues.size(); i++) {
				order.add(this.queues.get((this.next + i) % this.queues.size()));
			}
			Map<String, Integer> shares = new LinkedHashMap<>();
			for (int i = 0; i < workers; i++) {
				shares.merge(this.queues.get(this.next), 1, Integer::sum);
				this.next = (this.next + 1) % this.queues.size();
			}
			return new Plan(shares, order);
		}

	}

}

package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.server.LagOrder.Lags;

/**
 * Creates the queue order of a capsule from the settings and the application's rules.
 */
final class QueueOrders {

	private QueueOrders() {
	}

	/**
	 * Create the queue order of a capsule. A queue that is divided into parts counts as
	 * one queue in this order.
	 * @param ofParts the order among the parts of a queue: {@link Order#LAG} or
	 * {@link Order#ROUND_ROBIN}
	 */
	static QueueOrder of(Capsule capsule, Order ofParts, Lags lags, RandomGenerator random) {
		List<String> parts = capsule.parts();
		if (parts.size() == capsule.queues().size()) {
			return ofQueues(capsule, parts, lags, random);
		}
		Lags inRounds = new LagRounds(lags);
		Lags greatest = (queues) -> inRounds.of(parts).thenApply(QueueOrders::greatestOfEach);
		return new PartOrder(ofQueues(capsule, capsule.queueNames(), greatest, random),
				capsule.queues().stream().map((queue) -> ofParts(queue.names(), ofParts, lags)).toList(),
				capsule.queues().stream().mapToInt((queue) -> queue.names().size()).toArray());
	}

	private static QueueOrder ofParts(List<String> parts, Order order, Lags lags) {
		if (parts.size() == 1) {
			return (room, among, shares) -> shares[0] += room;
		}
		return (order == Order.ROUND_ROBIN) ? new RoundRobinOrder(parts.size())
				: new LagOrder(parts, new LagRounds(lags), System::nanoTime);
	}

	private static Map<String, Duration> greatestOfEach(Map<String, Duration> lags) {
		Map<String, Duration> greatest = new HashMap<>();
		lags.forEach((part, lag) -> greatest.merge(QueueRef.queueOf(part), lag,
				(one, other) -> (one.compareTo(other) > 0) ? one : other));
		return greatest;
	}

	private static QueueOrder ofQueues(Capsule capsule, List<String> names, Lags lags, RandomGenerator random) {
		return OwnOrder.of(capsule, () -> builtIn(capsule, names, lags, random));
	}

	private static QueueOrder builtIn(Capsule capsule, List<String> names, Lags lags, RandomGenerator random) {
		List<Queue> queues = capsule.queues();
		return switch (capsule.order()) {
			case STRICT -> (room, among, shares) -> shares[QueueOrder.first(among)] += room;
			case WEIGHTED -> new WeightedOrder(queues.stream().mapToInt(Capsule.Queue::weight).toArray(), random);
			case RANDOM -> new WeightedOrder(queues.stream().mapToInt((queue) -> 1).toArray(), random);
			case ROUND_ROBIN -> new RoundRobinOrder(queues.size());
			case LAG -> new LagOrder(names, lags, System::nanoTime);
		};
	}

}

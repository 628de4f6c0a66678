package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link QueueOrder} and {@link LagOrder} (SK-27, SK-28, SK-29).
 */
class QueueOrderTests {

	private static final int DRAWS = 100_000;

	private final Random random = new Random(4711);

	@Test
	@DisplayName("SK-29: strict order serves queues in the order of the list")
	void shareWhenStrictGivesAllToTheFirstQueueThatMayHaveJobs() {
		Named order = order(Order.STRICT, new Queue("a", 1), new Queue("b", 7), new Queue("c", 1));
		for (int i = 0; i < 10; i++) {
			assertThat(order.share(5, Set.of("a", "b", "c"))).isEqualTo(Map.of("a", 5));
			assertThat(order.share(5, Set.of("b", "c"))).isEqualTo(Map.of("b", 5));
		}
	}

	@Test
	@DisplayName("SK-29: a queue is tried first with probability weight / sum")
	void shareWhenWeightedDrawsQueuesInProportionToTheirWeights() {
		Named order = order(Order.WEIGHTED, new Queue("a", 10), new Queue("b", 5), new Queue("c", 3));
		Map<String, Double> drawn = new HashMap<>();
		for (int i = 0; i < DRAWS; i++) {
			drawn.merge(order.share(1, Set.of("a", "b", "c")).keySet().iterator().next(), 1.0 / DRAWS, Double::sum);
		}
		// The tolerance is more than ten standard deviations.
		assertThat(drawn.get("a")).isCloseTo(10 / 18.0, within(0.017));
		assertThat(drawn.get("b")).isCloseTo(5 / 18.0, within(0.017));
		assertThat(drawn.get("c")).isCloseTo(3 / 18.0, within(0.017));
	}

	@Test
	void shareWhenWeightedSharesMuchRoomOutInProportion() {
		Named order = order(Order.WEIGHTED, new Queue("a", 3), new Queue("b", 1), new Queue("c", 100));
		Map<String, Integer> shares = order.share(DRAWS, Set.of("a", "b"));
		assertThat(shares.get("a") + shares.get("b")).isEqualTo(DRAWS);
		assertThat(shares.get("a") / (double) DRAWS).isCloseTo(0.75, within(0.017));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1 })
	@DisplayName("SK-28: a weight below 1 is refused")
	void queueWhenWeightIsBelowOneIsRefused(int weight) {
		assertThatIllegalArgumentException().isThrownBy(() -> new Queue("a", weight))
			.withMessage("'weight' of queue 'a' must be at least 1, but is " + weight);
	}

	@Test
	@DisplayName("SK-27: random order draws all queues with equal probability")
	void shareWhenRandomIgnoresWeights() {
		Named order = order(Order.RANDOM, new Queue("a", 100), new Queue("b", 1));
		assertThat(order.share(DRAWS, Set.of("a", "b")).get("a") / (double) DRAWS).isCloseTo(0.5, within(0.017));
	}

	@ParameterizedTest
	@EnumSource
	void shareGivesAllRoomToQueuesThatMayHaveJobs(Order order) {
		Named queues = order(order, new Queue("a", 50), new Queue("b", 1), new Queue("c", 1));
		for (int room = 1; room <= 20; room++) {
			Map<String, Integer> shares = queues.share(room, Set.of("a", "c"));
			assertThat(shares).containsOnlyKeys(
					shares.containsKey("a") ? (shares.size() == 2) ? Set.of("a", "c") : Set.of("a") : Set.of("c"));
			assertThat(shares.values()).allMatch((share) -> share > 0);
			assertThat(shares.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(room);
		}
	}

	@ParameterizedTest
	@EnumSource
	void shareWhenThereIsOneQueueGivesItAllRoom(Order order) {
		assertThat(order(order, new Queue("a", 3)).share(4, Set.of("a"))).isEqualTo(Map.of("a", 4));
	}

	@Test
	void shareWhenRoundRobinGoesOnWhereItStopped() {
		Named order = order(Order.ROUND_ROBIN, new Queue("a", 1), new Queue("b", 1), new Queue("c", 1));
		Set<String> all = Set.of("a", "b", "c");
		assertThat(order.share(2, all)).isEqualTo(Map.of("a", 1, "b", 1));
		assertThat(order.share(1, all)).isEqualTo(Map.of("c", 1));
		assertThat(order.share(4, all)).isEqualTo(Map.of("a", 2, "b", 1, "c", 1));
		assertThat(order.share(1, all)).isEqualTo(Map.of("b", 1));
		assertThat(order.share(2, Set.of("a", "b"))).isEqualTo(Map.of("a", 1, "b", 1));
	}

	@Test
	void shareWhenByLagServesTheQueueFirstThatHasWaitedLongest() {
		Named order = byLag(List.of("a", "b", "c"), lags(Map.of("a", 1, "b", 3, "c", 2)), () -> 0);
		Set<String> all = Set.of("a", "b", "c");
		assertThat(order.share(5, all)).isEqualTo(Map.of("b", 5));
		assertThat(order.share(5, Set.of("a", "c"))).isEqualTo(Map.of("c", 5));
	}

	@Test
	void shareWhenByLagMeasuresAtMostFourTimesASecond() {
		AtomicLong time = new AtomicLong(-7);
		List<List<String>> asked = new ArrayList<>();
		Map<String, Integer> lags = new HashMap<>(Map.of("a", 2, "b", 1));
		Named order = byLag(List.of("a", "b"), (queues) -> {
			asked.add(queues);
			return lags(lags).of(queues);
		}, time::get);
		Set<String> both = Set.of("a", "b");
		assertThat(order.share(1, both)).containsOnlyKeys("a");
		lags.put("b", 3);
		time.addAndGet(Duration.ofMillis(250).toNanos() - 1);
		assertThat(order.share(1, both)).containsOnlyKeys("a");
		assertThat(asked).hasSize(1);
		time.addAndGet(1);
		assertThat(order.share(1, both)).containsOnlyKeys("b");
		assertThat(asked).hasSize(2);
	}

	@Test
	@DisplayName("A missing measurement does not delay jobs")
	void shareWhenByLagAndAMeasurementIsUnderWayOrFailedGoesOnByTheOneBefore() {
		AtomicLong time = new AtomicLong();
		List<CompletableFuture<Map<String, Duration>>> answers = new ArrayList<>();
		Named order = byLag(List.of("a", "b"), (queues) -> {
			answers.add(new CompletableFuture<>());
			return answers.get(answers.size() - 1);
		}, time::get);
		Set<String> both = Set.of("a", "b");
		time.addAndGet(Duration.ofSeconds(1).toNanos());
		assertThat(order.share(1, both)).as("first queue in the list").containsOnlyKeys("a");
		assertThat(answers).hasSize(1);
		answers.get(0).completeExceptionally(new IllegalStateException());
		assertThat(order.share(1, both)).containsOnlyKeys("a");
		time.addAndGet(Duration.ofSeconds(1).toNanos());
		assertThat(order.share(1, both)).containsOnlyKeys("a");
		answers.get(1).complete(Map.of("a", Duration.ZERO, "b", Duration.ofSeconds(1)));
		assertThat(order.share(1, both)).containsOnlyKeys("b");
	}

	@ParameterizedTest
	@EnumSource
	void shareWhenQueueHasShardsGivesAllRoomToQueuesThatMayHaveJobs(Order order) {
		Named queues = order(order, Queue.inParts("a", 5, 3, 1), new Queue("b", 1), Queue.inParts("c", 1, 1, 1));
		assertThat(queues.names()).containsExactly("a#0", "a#1", "a#2", "b", "c#0");
		Set<String> among = Set.of("a#1", "a#2", "c#0");
		for (int room = 1; room <= 20; room++) {
			Map<String, Integer> shares = queues.share(room, among);
			assertThat(among).containsAll(shares.keySet());
			assertThat(shares.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(room);
		}
	}

	@Test
	@DisplayName("LK-51: the number of shards does not affect priority")
	void shareWhenQueueHasShardsCountsItAsOneQueue() {
		Set<String> all = Set.of("a#0", "a#1", "a#2", "b");
		Queue[] queues = { Queue.inParts("a", 1, 3, 1), new Queue("b", 1) };
		assertThat(order(Order.WEIGHTED, queues).share(DRAWS, all).get("b") / (double) DRAWS).isCloseTo(0.5,
				within(0.017));
		assertThat(order(Order.RANDOM, queues).share(DRAWS, all).get("b") / (double) DRAWS).isCloseTo(0.5,
				within(0.017));
		assertThat(order(Order.ROUND_ROBIN, queues).share(10, all)).containsEntry("b", 5);
		assertThat(order(Order.STRICT, queues).share(10, all)).doesNotContainKey("b");
	}

	@Test
	@DisplayName("LK-47: with order 'lag', the shard whose oldest job has waited longest is served first")
	void shareWhenShardsAreOrderedByLagServesTheLaggiest() {
		LagOrder.Lags lags = lags(Map.of("a#0", 1, "a#1", 3, "a#2", 0, "b", 2));
		Set<String> all = Set.of("a#0", "a#1", "a#2", "b");
		Named order = order(Order.LAG, Order.LAG, lags, Queue.inParts("a", 1, 3, 1), new Queue("b", 1));
		assertThat(order.share(5, all)).as("the queue with the laggiest shard").isEqualTo(Map.of("a#1", 5));
		assertThat(order.share(5, Set.of("a#0", "a#2"))).isEqualTo(Map.of("a#0", 5));
		Named strict = order(Order.STRICT, Order.LAG, lags, new Queue("b", 1), Queue.inParts("a", 1, 3, 1));
		assertThat(strict.share(5, all)).isEqualTo(Map.of("b", 5));
		assertThat(strict.share(5, Set.of("a#0", "a#1"))).isEqualTo(Map.of("a#1", 5));
	}

	@Test
	@DisplayName("LK-47: with order 'round-robin', the shards take turns")
	void shareWhenShardsTakeTurnsGoesOnWhereItStopped() {
		Named order = order(Order.STRICT, Order.ROUND_ROBIN, lags(Map.of()), Queue.inParts("a", 1, 3, 1));
		Set<String> all = Set.of("a#0", "a#1", "a#2");
		assertThat(order.share(2, all)).isEqualTo(Map.of("a#0", 1, "a#1", 1));
		assertThat(order.share(2, all)).isEqualTo(Map.of("a#2", 1, "a#0", 1));
		assertThat(order.share(2, Set.of("a#0", "a#2"))).isEqualTo(Map.of("a#0", 1, "a#2", 1));
	}

	@Test
	void capsuleWhenOrderedQueueIsServedAtMostOnceIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Queue("a", 1, true, List.of(0), 1))
			.withMessage("Ordered jobs cannot be delivered at most once");
		assertThatIllegalArgumentException().isThrownBy(() -> new Queue("a", 1, false, List.of(), 2));
		assertThatIllegalArgumentException().isThrownBy(() -> new Queue("a", 1, false, List.of(0), 0));
		assertThatIllegalArgumentException().isThrownBy(() -> new Queue("a#1", 1));
	}

	@Test
	void capsuleWhenQueueIsListedTwiceIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(
				() -> new Capsule("c", 1, Order.RANDOM, Duration.ZERO, List.of(new Queue("a", 1), new Queue("a", 2))))
			.withMessage("Queue 'a' is listed twice");
	}

	@Test
	void capsuleWhenItCouldRunNothingIsRefused() {
		List<Queue> queues = List.of(new Queue("a", 1));
		assertThatIllegalArgumentException().isThrownBy(() -> new Capsule("c", 0, Order.STRICT, Duration.ZERO, queues));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new Capsule("c", 1, Order.STRICT, Duration.ZERO, List.of()));
		assertThatIllegalArgumentException().isThrownBy(() -> new Queue("a", -1));
	}

	private Named order(Order order, Queue... queues) {
		LagOrder.Lags none = (names) -> CompletableFuture.completedFuture(Map.of());
		return order(order, Order.LAG, none, queues);
	}

	private Named order(Order order, Order ofShards, LagOrder.Lags lags, Queue... queues) {
		Capsule capsule = new Capsule("c", 1, order, Duration.ZERO, List.of(queues));
		return new Named(QueueOrders.of(capsule, ofShards, lags, this.random), capsule.parts());
	}

	private static Named byLag(List<String> queues, LagOrder.Lags lags, LongSupplier nanoTime) {
		return new Named(new LagOrder(queues, lags, nanoTime), queues);
	}

	private static LagOrder.Lags lags(Map<String, Integer> seconds) {
		return (queues) -> CompletableFuture.completedFuture(queues.stream()
			.collect(Collectors.toMap((queue) -> queue, (queue) -> Duration.ofSeconds(seconds.get(queue)))));
	}

	/**
	 * An order, with the names of its queues.
	 */
	private record Named(QueueOrder order, List<String> names) {

		Map<String, Integer> share(int room, Set<String> among) {
			boolean[] worthAsking = new boolean[this.names.size()];
			for (int i = 0; i < worthAsking.length; i++) {
				worthAsking[i] = among.contains(this.names.get(i));
			}
			int[] shares = new int[worthAsking.length];
			this.order.share(room, worthAsking, shares);
			Map<String, Integer> named = new HashMap<>();
			for (int i = 0; i < shares.length; i++) {
				if (shares[i] > 0) {
					named.put(this.names.get(i), shares[i]);
				}
			}
			return named;
		}

	}

}

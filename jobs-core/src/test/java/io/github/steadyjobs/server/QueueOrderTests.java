package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.server.QueueOrder.Plan;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
	@DisplayName("SK-29: strict order takes the list as it is")
	void planWhenStrictGivesAllWorkersToTheFirstQueue() {
		QueueOrder order = order(Order.STRICT, new Queue("a", 0), new Queue("b", 7), new Queue("c", 0));
		for (int i = 0; i < 10; i++) {
			assertThat(order.plan(5)).isEqualTo(new Plan(Map.of("a", 5), List.of("a", "b", "c")));
		}
	}

	@Test
	@DisplayName("SK-29: a queue is tried first with probability weight / sum")
	void planWhenWeightedDrawsQueuesInProportionToTheirWeights() {
		QueueOrder order = order(Order.WEIGHTED, new Queue("a", 10), new Queue("b", 5), new Queue("c", 3));
		Map<String, Double> first = new HashMap<>();
		for (int i = 0; i < DRAWS; i++) {
			first.merge(order.plan(1).order().get(0), 1.0 / DRAWS, Double::sum);
		}
		// More than ten standard deviations.
		assertThat(first.get("a")).isCloseTo(10 / 18.0, within(0.017));
		assertThat(first.get("b")).isCloseTo(5 / 18.0, within(0.017));
		assertThat(first.get("c")).isCloseTo(3 / 18.0, within(0.017));
	}

	@Test
	void planWhenWeightedSharesManyWorkersOutInProportion() {
		QueueOrder order = order(Order.WEIGHTED, new Queue("a", 3), new Queue("b", 1));
		Plan plan = order.plan(DRAWS);
		assertThat(plan.shares().get("a") + plan.shares().get("b")).isEqualTo(DRAWS);
		assertThat(plan.shares().get("a") / (double) DRAWS).isCloseTo(0.75, within(0.017));
	}

	@Test
	@DisplayName("SK-28: a name stands max(weight, 1) times among the candidates")
	void planWhenWeightIsZeroCountsItAsOne() {
		QueueOrder order = order(Order.WEIGHTED, new Queue("a", 0), new Queue("b", 1));
		assertThat(order.plan(DRAWS).shares().get("a") / (double) DRAWS).isCloseTo(0.5, within(0.017));
	}

	@Test
	@DisplayName("SK-27: random order draws all queues alike")
	void planWhenRandomIgnoresWeights() {
		QueueOrder order = order(Order.RANDOM, new Queue("a", 100), new Queue("b", 1));
		assertThat(order.plan(DRAWS).shares().get("a") / (double) DRAWS).isCloseTo(0.5, within(0.017));
	}

	@ParameterizedTest
	@EnumSource
	void planWhenMadeGivesAllWorkersAwayAndNamesEachQueueOnce(Order order) {
		QueueOrder queues = order(order, new Queue("a", 50), new Queue("b", 0), new Queue("c", 1));
		for (int workers = 1; workers <= 20; workers++) {
			Plan plan = queues.plan(workers);
			assertThat(plan.order()).containsExactlyInAnyOrder("a", "b", "c");
			assertThat(plan.order()).containsAll(plan.shares().keySet());
			assertThat(plan.shares().values()).allMatch((share) -> share > 0);
			assertThat(plan.shares().values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(workers);
		}
	}

	@ParameterizedTest
	@EnumSource
	void planWhenThereIsOneQueueGivesItAllWorkers(Order order) {
		assertThat(order(order, new Queue("a", 3)).plan(4)).isEqualTo(new Plan(Map.of("a", 4), List.of("a")));
	}

	@Test
	void planWhenRoundRobinGoesOnWhereItStopped() {
		QueueOrder order = order(Order.ROUND_ROBIN, new Queue("a", 0), new Queue("b", 0), new Queue("c", 0));
		assertThat(order.plan(2)).isEqualTo(new Plan(Map.of("a", 1, "b", 1), List.of("a", "b", "c")));
		assertThat(order.plan(1)).isEqualTo(new Plan(Map.of("c", 1), List.of("c", "a", "b")));
		assertThat(order.plan(4)).isEqualTo(new Plan(Map.of("a", 2, "b", 1, "c", 1), List.of("a", "b", "c")));
		assertThat(order.plan(1)).isEqualTo(new Plan(Map.of("b", 1), List.of("b", "c", "a")));
	}

	@Test
	void planWhenByLagServesTheQueueFirstThatHasWaitedLongest() {
		LagOrder order = new LagOrder(List.of("a", "b", "c"), lags(Map.of("a", 1, "b", 3, "c", 2)), () -> 0);
		assertThat(order.plan(5)).isEqualTo(new Plan(Map.of("b", 5), List.of("b", "c", "a")));
	}

	@Test
	void planWhenByLagMeasuresAtMostFourTimesASecond() {
		AtomicLong time = new AtomicLong(-7);
		List<List<String>> asked = new ArrayList<>();
		Map<String, Integer> lags = new HashMap<>(Map.of("a", 2, "b", 1));
		LagOrder order = new LagOrder(List.of("a", "b"), (queues) -> {
			asked.add(queues);
			return lags(lags).of(queues);
		}, time::get);
		assertThat(order.plan(1).order()).containsExactly("a", "b");
		lags.put("b", 3);
		time.addAndGet(Duration.ofMillis(250).toNanos() - 1);
		assertThat(order.plan(1).order()).containsExactly("a", "b");
		assertThat(asked).hasSize(1);
		time.addAndGet(1);
		assertThat(order.plan(1).order()).containsExactly("b", "a");
		order.plan(1);
		assertThat(asked).hasSize(2);
	}

	@Test
	void capsuleWhenQueueIsListedTwiceIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new Capsule("c", 1, Order.RANDOM, List.of(new Queue("a", 1), new Queue("a", 2))))
			.withMessage("Queue 'a' is listed twice");
	}

	@Test
	void capsuleWhenItCouldRunNothingIsRefused() {
		List<Queue> queues = List.of(new Queue("a", 1));
		assertThatIllegalArgumentException().isThrownBy(() -> new Capsule("c", 0, Order.STRICT, queues));
		assertThatIllegalArgumentException().isThrownBy(() -> new Capsule("c", 1, Order.STRICT, List.of()));
		assertThatIllegalArgumentException().isThrownBy(() -> new Queue("a", -1));
	}

	private QueueOrder order(Order order, Queue... queues) {
		LagOrder.Lags none = (names) -> names.stream().map((name) -> Duration.ZERO).toList();
		return QueueOrder.of(new Capsule("c", 1, order, List.of(queues)), none, this.random);
	}

	private static LagOrder.Lags lags(Map<String, Integer> seconds) {
		return (queues) -> queues.stream().map(seconds::get).map(Duration::ofSeconds).toList();
	}

}

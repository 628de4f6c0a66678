package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.server.Capsule.Rules;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OwnOrder}.
 */
@ExtendWith(OutputCaptureExtension.class)
class OwnOrderTests {

	private final List<String> asked = new ArrayList<>();

	@Test
	@DisplayName("SK-33: a selector defined by the application decides which queue comes first")
	void shareWhenThereIsASelectorFollowsIt() {
		QueueOrder order = order((capsule, queues) -> {
			this.asked.add(capsule + queues);
			return (this.asked.size() % 3 == 0) ? "a" : queues.get(queues.size() - 1);
		});
		assertThat(share(order, 6, true, true, true)).containsExactly(2, 0, 4);
		assertThat(this.asked).hasSize(6).containsOnly("c[a, b, c]");
		this.asked.clear();
		assertThat(share(order, 2, true, true, false)).containsExactly(0, 2, 0);
		assertThat(this.asked).containsOnly("c[a, b]");
	}

	@Test
	void shareWhenTheSelectorWantsNoMoreLeavesTheRest() {
		QueueOrder order = order((capsule, queues) -> {
			this.asked.add("");
			return (this.asked.size() < 3) ? "b" : null;
		});
		assertThat(share(order, 9, true, true, true)).containsExactly(0, 2, 0);
	}

	@Test
	@DisplayName("SK-33: a filter defined by the application keeps a queue from being read")
	void shareWhenAFilterRefusesAQueueGivesItNothing() {
		QueueOrder order = order(null, (capsule, queue) -> !queue.equals("a"), (capsule, queue) -> !queue.equals("c"));
		assertThat(share(order, 5, true, true, true)).containsExactly(0, 5, 0);
		assertThat(share(order, 5, true, false, true)).containsExactly(0, 0, 0);
	}

	@Test
	void shareWhenThereAreBothAsksTheSelectorAboutWhatIsAllowed() {
		QueueOrder order = order((capsule, queues) -> {
			this.asked.add(queues.toString());
			return queues.get(0);
		}, (capsule, queue) -> !queue.equals("a"));
		assertThat(share(order, 2, true, true, true)).containsExactly(0, 2, 0);
		assertThat(share(order, 2, true, false, false)).containsExactly(0, 0, 0);
		assertThat(this.asked).containsOnly("[b, c]");
	}

	@Test
	void shareWhenTheSelectorChoosesAnotherQueueAsksNoneAndSaysSoOnce(CapturedOutput output) {
		QueueOrder order = order((capsule, queues) -> "mial");
		assertThat(share(order, 2, true, true, true)).containsExactly(0, 0, 0);
		assertThat(share(order, 2, true, true, true)).containsExactly(0, 0, 0);
		assertThat(output.toString().split("chose the queue 'mial' for capsule 'c', which is none of \\[a, b, c]", -1))
			.hasSize(2);
	}

	@Test
	void shareWhenAFilterFailedGoesOnOnceItDoesNot() {
		AtomicBoolean failing = new AtomicBoolean(true);
		QueueOrder order = order(null, (capsule, queue) -> {
			if (failing.get()) {
				throw new IllegalStateException("not ready");
			}
			return true;
		});
		assertThat(share(order, 2, true, true, true)).containsExactly(0, 0, 0);
		failing.set(false);
		assertThat(share(order, 2, true, true, true)).containsExactly(2, 0, 0);
	}

	@Test
	void shareWhenAQueueHasShardsCountsItOnce() {
		Capsule capsule = new Capsule("c", 1, Order.STRICT, Duration.ZERO,
				List.of(Queue.inParts("o", 1, 3, 1), new Queue("b", 1)), new Rules((name, queues) -> {
					this.asked.add(queues.toString());
					return "o";
				}, List.of()));
		QueueOrder order = QueueOrders.of(capsule, Order.ROUND_ROBIN, null, new Random(1));
		assertThat(share(order, 3, true, false, true, true)).containsExactly(2, 0, 1, 0);
		assertThat(this.asked).containsOnly("[o, b]");
	}

	private static QueueOrder order(@Nullable QueueSelector selector, FetchFilter... filters) {
		List<Queue> queues = List.of(new Queue("a", 1), new Queue("b", 1), new Queue("c", 1));
		return QueueOrders.of(
				new Capsule("c", 1, Order.STRICT, Duration.ZERO, queues, new Rules(selector, List.of(filters))),
				Order.LAG, (names) -> new CompletableFuture<>(), new Random(1));
	}

	private static List<Integer> share(QueueOrder order, int room, boolean... among) {
		int[] shares = new int[among.length];
		order.share(room, among, shares);
		return IntStream.of(shares).boxed().toList();
	}

}

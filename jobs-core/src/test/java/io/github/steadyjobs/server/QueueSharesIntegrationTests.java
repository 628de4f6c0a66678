package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for capsules with several queues (SK-27 to SK-29).
 */
@RedisTest
class QueueSharesIntegrationTests {

	private final TestRedis redis;

	/**
	 * The queues of the jobs, in the order in which they ran.
	 */
	private final List<String> queues = new CopyOnWriteArrayList<>();

	private final TestJobs.Body noting = (number, job) -> this.queues.add(job.queue());

	QueueSharesIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	@DisplayName("SK-29, JG-08: strict order empties the first queue first")
	void startWhenStrictRunsTheJobsOfTheFirstQueueFirst() {
		try (WorkerFixture worker = worker(1, Order.STRICT, new Queue("a", 1), new Queue("b", 1), new Queue("c", 1))) {
			worker.enqueueAll("c", 0, 20);
			worker.enqueueAll("b", 0, 20);
			worker.enqueueAll("a", 0, 20);
			worker.start().awaitEmpty("a", "b", "c");
			assertThat(this.queues.subList(0, 20)).containsOnly("a");
			assertThat(this.queues.subList(20, 40)).containsOnly("b");
			assertThat(this.queues.subList(40, 60)).containsOnly("c");
		}
	}

	@Test
	@DisplayName("SK-33: a refused queue keeps its jobs until it is allowed again, and other queues are served as before")
	void startWhenAFilterRefusesAQueueServesTheOthersUntilItMayBeAsked() {
		AtomicBoolean allowed = new AtomicBoolean();
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			// The interval is so long that no heartbeat reports jobs.
			.beat(Duration.ofMinutes(1))
			.deathAfter(Duration.ofMinutes(4))
			.rules(null, (capsule, queue) -> !queue.equals("a") || allowed.get())
			.capsule(2, "a", "b")
			.jobs(this.noting)
			.start()) {
			worker.enqueueAll("a", 0, 3);
			// Jobs are enqueued one after the other, so that the worker is notified of
			// each of them while the refused queue has jobs.
			for (int i = 0; i < 20; i++) {
				worker.enqueue("b", i);
				worker.awaitEmpty("b");
			}
			assertThat(this.queues).hasSize(20).containsOnly("b");
			allowed.set(true);
			worker.awaitEmpty("a");
			assertThat(this.queues).hasSize(23);
		}
	}

	@Test
	@DisplayName("SK-33: a selector chooses the queue of each job")
	void startWhenThereIsASelectorServesTheQueuesThatItChooses() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.rules((capsule, queues) -> queues.get(queues.size() - 1))
			.capsule(1, "a", "b")
			.jobs(this.noting)
			.build()) {
			worker.enqueueAll("a", 0, 20);
			worker.enqueueAll("b", 0, 20);
			worker.start().awaitEmpty("a", "b");
			assertThat(this.queues.subList(0, 20)).containsOnly("b");
			assertThat(this.queues.subList(20, 40)).containsOnly("a");
		}
	}

	@Test
	@DisplayName("SK-29: full queues are served in proportion to their weights")
	void startWhenWeightedServesFullQueuesInProportion() {
		try (WorkerFixture worker = worker(1, Order.WEIGHTED, new Queue("a", 3), new Queue("b", 1))) {
			worker.enqueueAll("a", 0, 1000);
			worker.enqueueAll("b", 0, 1000);
			worker.start();
			WorkerFixture.await().until(() -> this.queues.size() >= 800);
			// The expected number is 600 of 800, and the standard deviation is 12.
			assertThat(Collections.frequency(List.copyOf(this.queues).subList(0, 800), "a")).isBetween(500, 700);
			worker.awaitEmpty("a", "b");
		}
	}

	@Test
	void startWhenRoundRobinTakesTurns() {
		try (WorkerFixture worker = worker(1, Order.ROUND_ROBIN, new Queue("a", 1), new Queue("b", 1))) {
			worker.enqueueAll("a", 0, 10);
			worker.enqueueAll("b", 0, 10);
			worker.start().awaitEmpty("a", "b");
			for (int i = 0; i < 20; i += 2) {
				assertThat(this.queues.subList(i, i + 2)).containsExactly("a", "b");
			}
		}
	}

	@Test
	void startWhenByLagServesTheQueueFirstWhoseOldestJobIsOlder() {
		try (WorkerFixture worker = worker(1, Order.LAG, new Queue("a", 1), new Queue("b", 1))) {
			// The first jobs are claimed before the lag is measured for the first time.
			worker.enqueueAll("a", 0, 1000);
			// The first part of an id is the time of its creation, in this case in 2009.
			String old = "0123456789ab000000000000";
			worker.enqueueRaw("b", old, "{\"jid\":\"%s\",\"class\":\"test.job\",\"args\":[0]}".formatted(old));
			worker.start().awaitEmpty("a", "b");
			assertThat(this.queues).hasSize(1001);
			assertThat(this.queues.get(1000)).isEqualTo("a");
		}
	}

	@ParameterizedTest
	@EnumSource
	void startWhenQueuesAreUnequalStarvesNone(Order order) {
		try (WorkerFixture worker = worker(3, order, new Queue("a", 5), new Queue("b", 1), new Queue("c", 1))) {
			worker.enqueueAll("a", 0, 200);
			worker.enqueueAll("b", 0, 1);
			worker.enqueueAll("c", 0, 30);
			worker.start().awaitEmpty("a", "b", "c");
			worker.enqueue("c", 0);
			worker.awaitEmpty("c");
			assertThat(this.queues).hasSize(232);
		}
	}

	@ParameterizedTest
	@EnumSource
	@DisplayName("UL-02: workers for which one queue has no jobs continue with the next queue")
	void startWhenOneQueueIsEmptyGivesItsWorkersToTheOthers(Order order) {
		Runs held = Runs.held();
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule("c", 4, order, new Queue("a", 10), new Queue("b", 1), new Queue("c", 1))
			.jobs(held)
			.build()) {
			worker.enqueueAll("b", 0, 3);
			worker.enqueueAll("c", 3, 4);
			worker.start();
			held.awaitBegun(4);
			held.release();
			worker.awaitEmpty("b", "c");
		}
	}

	private WorkerFixture worker(int concurrency, Order order, Queue... queues) {
		return WorkerFixture.on(this.redis).capsule("c", concurrency, order, queues).jobs(this.noting).build();
	}

}

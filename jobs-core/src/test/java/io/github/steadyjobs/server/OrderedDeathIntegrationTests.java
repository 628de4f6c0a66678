package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for ordered jobs in processes that are actually killed and stopped.
 */
@RedisTest
class OrderedDeathIntegrationTests {

	private static final Duration DEATH_AFTER = Duration.ofSeconds(1);

	private static final String[] PARTS = { "ordered#0", "ordered#1" };

	private final TestRedis redis;

	private final Runs runs = new Runs();

	private final List<WorkerJvm> processes = new ArrayList<>();

	OrderedDeathIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@AfterEach
	void kill() {
		this.processes.forEach(WorkerJvm::close);
	}

	@Test
	@DisplayName("LK-02: completed payloads are not repeated, and payloads that a killed process was running run again, in order")
	void killWhenPayloadRunsGoesOnWithIt() {
		WorkerJvm victim = process();
		try (WorkerFixture worker = worker(this.runs)) {
			WorkerJvm.order(this.redis, WorkerJvm.HOLD, List.of(102));
			enqueue(worker, 100, 104);
			victim.awaitBegun(3);
			enqueue(worker, 104, 106);
			victim.kill();
			worker.start();
			worker.awaitEmpty(PARTS);
			assertThat(victim.begun()).containsExactly(100, 101, 102);
			assertThat(this.runs.ended()).containsExactly(102, 103, 104, 105);
		}
	}

	@Test
	@DisplayName("A payload that has killed three processes is dead, and the other payloads of its key continue")
	void killWhenPayloadKillsProcessesBuriesIt() {
		WorkerJvm.order(this.redis, WorkerJvm.HALT, List.of(101));
		try (WorkerFixture worker = worker(this.runs)) {
			enqueue(worker, 100, 103);
			for (int death = 1; death <= 3; death++) {
				WorkerJvm victim = process();
				victim.awaitEnd();
				assertThat(victim.begun()).endsWith(101);
			}
			worker.start();
			WorkerFixture.await().untilAsserted(() -> assertThat(this.runs.ended()).containsExactly(102));
			WorkerFixture.await().untilAsserted(() -> assertThat(dead()).isEqualTo(1));
		}
	}

	@Test
	@DisplayName("A process that was declared dead does not begin further payloads")
	void freezeWhenPayloadRunsDoesNotGoOnWithTheNext() {
		WorkerJvm zombie = process();
		try (WorkerFixture worker = worker(this.runs)) {
			WorkerJvm.order(this.redis, WorkerJvm.HOLD, List.of(100));
			enqueue(worker, 100, 103);
			zombie.awaitBegun(1);
			zombie.freeze();
			this.redis.template().delete(WorkerJvm.key(this.redis, "orders"));
			worker.start();
			worker.awaitEmpty(PARTS);
			zombie.thaw();
			zombie.awaitEvent("Fenced");
			WorkerFixture.await().until(() -> zombie.ended().contains(100));
			zombie.terminate();
			zombie.awaitEnd();
			assertThat(zombie.begun()).containsExactly(100);
			assertThat(this.runs.ended()).containsExactly(100, 101, 102);
			assertThat(worker.events(WorkerEvent.Fenced.class)).isEmpty();
		}
	}

	private WorkerJvm process() {
		WorkerJvm process = WorkerJvm.start(this.redis, DEATH_AFTER, 3, OrderedTestJobs.QUEUE);
		this.processes.add(process);
		return process;
	}

	private WorkerFixture worker(Runs runs) {
		return WorkerFixture.on(this.redis)
			.deathAfter(DEATH_AFTER)
			.capsule("default", 3, Order.STRICT, Queue.inParts(OrderedTestJobs.QUEUE, 1, 2, 1))
			.bean(new OrderedTestJobs(runs))
			.build();
	}

	private static void enqueue(WorkerFixture worker, int from, int to) {
		worker.client()
			.enqueueAll(
					IntStream.range(from, to).mapToObj((number) -> JobRequest.named("test.ordered", number)).toList());
	}

	private long dead() {
		long dead = 0;
		for (String part : PARTS) {
			dead += this.redis.template().opsForZSet().zCard(this.redis.key(part, "dead"));
		}
		return dead;
	}

}

package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.RunCutShortException;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StrayJobs}: Redis records that jobs are held by a live process that
 * does not run them. The tests restore older data, as a failover or a restored snapshot
 * would.
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class StrayJobsIntegrationTests {

	private final TestRedis redis;

	private final Runs runs = new Runs();

	StrayJobsIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	@DisplayName("If Redis has lost an acknowledgement, the job runs again")
	void runWhenTheAcknowledgementWasLostRunsTheJobAgain(CapturedOutput output) {
		Runs held = Runs.held();
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(2, "q").jobs(held).start()) {
			String id = worker.enqueue("q", 0);
			held.awaitBegun(1);
			Map<String, Object> older = state("q");
			held.release();
			worker.awaitEmpty("q");
			restore("q", older);
			held.awaitEnded(2);
			worker.awaitEmpty("q");
			WorkerFixture.await().until(() -> !worker.events(WorkerEvent.Recovered.class).isEmpty());
			assertThat(worker.events(WorkerEvent.Recovered.class)).singleElement()
				.satisfies((event) -> assertThat(event.returned()).isOne());
			WorkerFixture.await().until(() -> output.getOut().contains("Put back or dead now: q (1 back, 0 dead)"));
			assertThat(id).isNotEmpty();
		}
	}

	@Test
	@DisplayName("If Redis has lost the end of a key's run, the key continues with its waiting payloads")
	void runWhenTheEndOfAnOrderedRunWasLostGoesOnWithItsKey() {
		Runs held = Runs.held();
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule("default", 2, Order.STRICT, Queue.inParts(OrderedTestJobs.QUEUE, 1, 2, 1))
			.bean(new OrderedTestJobs(held))
			.start()) {
			worker.client().enqueue(JobRequest.named("test.ordered", 1));
			held.awaitBegun(1);
			String part = Stream.of("ordered#0", "ordered#1")
				.filter((name) -> this.redis.contents(name).containsKey("working"))
				.findFirst()
				.orElseThrow();
			Map<String, Object> older = state(part);
			held.release();
			worker.awaitEmpty(part);
			restore(part, older);
			worker.client().enqueue(JobRequest.named("test.ordered", 2));
			held.awaitEnded(3);
			worker.awaitEmpty(part);
			assertThat(held.ended()).containsExactly(1, 1, 2);
		}
	}

	@Test
	void runWhenTheAcknowledgementWasLostAndItMayRunOnceBuriesTheJob() {
		Runs held = Runs.held();
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule("default", 2, Order.STRICT, new Queue("q", 1, true))
			.jobs(held)
			.start()) {
			String id = worker.enqueue("q", 0);
			held.awaitBegun(1);
			Map<String, Object> older = state("q");
			held.release();
			worker.awaitEmpty("q");
			restore("q", older);
			worker.awaitOnlyDead("q", id);
			assertThat(held.ended()).containsExactly(0);
			JobPayload dead = new PayloadCodec(WorkerFixture.JSON).read(this.redis.template()
				.<String, String>opsForHash()
				.get(this.redis.key("q", "payloads"), id)
				.getBytes());
			assertThat(dead.errorClass()).isEqualTo(RunCutShortException.class.getName());
			assertThat(dead.errorMessage()).contains(" lost it while it ran it, at ");
		}
	}

	@Test
	void runWhenJobsAreOnTheirWayTakesNoneForAStray(CapturedOutput output) {
		// Heartbeats are so frequent that jobs are checked at all stages of their runs.
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(4, "q")
			.beat(Duration.ofMillis(5))
			.jobs(this.runs)
			.start()) {
			for (int from = 0; from < 10_000; from += 1000) {
				worker.enqueueAll("q", from, from + 1000);
			}
			// A busy machine takes long for all jobs, so wait only for the next ones.
			for (int ended = 1000; ended <= 10_000; ended += 1000) {
				this.runs.awaitEnded(ended);
			}
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).hasSize(10_000).doesNotHaveDuplicates();
			assertThat(worker.events(WorkerEvent.Recovered.class)).isEmpty();
			assertThat(output).doesNotContain("as held by this process");
		}
	}

	/**
	 * Return the payloads of a queue, and which process holds each of its running jobs.
	 */
	private Map<String, Object> state(String queue) {
		Map<String, Object> contents = this.redis.contents(queue);
		contents.keySet().retainAll(List.of("payloads", "working"));
		return contents;
	}

	private void restore(String queue, Map<String, Object> older) {
		older.forEach((key,
				fields) -> this.redis.template().opsForHash().putAll(this.redis.key(queue, key), (Map<?, ?>) fields));
	}

}

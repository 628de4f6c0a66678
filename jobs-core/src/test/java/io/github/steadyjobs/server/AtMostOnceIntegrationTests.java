package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;

import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.RunCutShortException;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for queues whose jobs run at most once. {@link ProcessDeathIntegrationTests}
 * tests what happens to such jobs when their process is killed.
 */
@RedisTest
class AtMostOnceIntegrationTests {

	private final TestRedis redis;

	AtMostOnceIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	private WorkerFixture.Builder workers(int concurrency) {
		return WorkerFixture.on(this.redis)
			.capsule("default", concurrency, Capsule.Order.STRICT, new Capsule.Queue("q", 1, true));
	}

	@Test
	@DisplayName("JG-14: a job interrupted by a shutdown may have run, and does not run again")
	void stopWhenAJobRunsBuriesItAndLeavesTheOthers() {
		Runs held = Runs.held();
		List<String> ids;
		try (WorkerFixture worker = workers(1).jobs(held).shutdownTimeout(Duration.ofMillis(100)).start()) {
			ids = worker.enqueueAll("q", 0, 3);
			held.awaitBegun(1);
		}
		assertThat(this.redis.contents("q")).containsEntry("ready", List.of(ids.get(2), ids.get(1)))
			.doesNotContainKeys("working", "beats", "crashes");
		JobPayload dead = new PayloadCodec(WorkerFixture.JSON).read(payload(ids.get(0)));
		assertThat(dead.errorClass()).isEqualTo(RunCutShortException.class.getName());
		assertThat(dead.errorMessage()).startsWith("The job may have run: process ")
			.contains(" was stopped while it ran it, at ");
		assertThat(dead.failures()).singleElement()
			.satisfies((failure) -> assertThat(failure.ran()).isBetween(Duration.ofMillis(1), Duration.ofMinutes(5)));
		Runs runs = new Runs();
		try (WorkerFixture worker = workers(1).jobs(runs).start()) {
			worker.awaitOnlyDead("q", ids.get(0));
			assertThat(runs.ended()).containsExactly(1, 2);
		}
	}

	@Test
	void runWhenJobThrowsIsRetriedAsUsual() {
		Runs runs = new Runs();
		TestJobs.Body body = (number, job) -> {
			runs.run(number, job);
			if (job.attempt() == 1) {
				throw new IllegalStateException("It did not succeed, and says so");
			}
		};
		try (WorkerFixture worker = workers(2).jobs(body).start()) {
			worker.enqueueAll("q", 0, 3);
			worker.awaitEmpty("q");
			assertThat(runs.ended()).containsExactlyInAnyOrder(0, 0, 1, 1, 2, 2);
		}
	}

	private byte[] payload(String id) {
		return this.redis.template().<String, String>opsForHash().get(this.redis.key("q", "payloads"), id).getBytes();
	}

}

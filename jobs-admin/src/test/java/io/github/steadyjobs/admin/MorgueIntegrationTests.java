package io.github.steadyjobs.admin;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.server.WorkerFixture;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link OrderedJobs} with workers.
 */
@RedisAndClusterTest
class MorgueIntegrationTests {

	private final TestRedis redis;

	MorgueIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	@DisplayName("LK-16, LK-20, LK-22: payloads in the morgue can be listed, and run again when they are revived")
	void reviveWhenPayloadsAreDeadRunsThemAgain() {
		Orders orders = new Orders();
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule("main", 8, Order.WEIGHTED, Queue.inParts("orders", 1, 2, 1))
			.bean(orders)
			.retryDelay(RetryDelay.exactly((count, job, failure) -> Duration.ofMillis(1)))
			.build()) {
			OrderedJobs ordered = new OrderedJobs(this.redis.connections(), this.redis.prefix(),
					new JobStore(this.redis.connections(), this.redis.prefix()), worker.registry(),
					new PayloadCodec(WorkerFixture.JSON));
			List.of("a", "b").forEach((key) -> worker.client().enqueue(JobRequest.named("one", key)));
			worker.start();
			WorkerFixture.await().untilAsserted(() -> assertThat(ordered.morgue("one", 100)).hasSize(2));
			List<JobPayload> morgue = ordered.morgue("one", 100);
			assertThat(morgue).extracting(JobPayload::key).containsExactlyInAnyOrder("a", "b");
			assertThat(ordered.morgue("one", 1)).hasSize(1);
			assertThat(morgue).extracting(JobPayload::errorMessage).containsOnly("planned");
			orders.failing = false;
			String id = morgue.stream().filter((job) -> "a".equals(job.key())).findFirst().orElseThrow().id();
			assertThat(ordered.revive("one", id)).isTrue();
			assertThat(ordered.revive("one", id)).isFalse();
			WorkerFixture.await().untilAsserted(() -> assertThat(orders.ran).containsExactly("a"));
			assertThat(ordered.reviveKey("one", "b")).isEqualTo(1);
			WorkerFixture.await().untilAsserted(() -> assertThat(orders.ran).containsExactly("a", "b"));
			assertThatIllegalArgumentException().isThrownBy(() -> ordered.morgue("other", 10))
				.withMessageContaining("'other'");
		}
	}

	static class Orders {

		private final List<String> ran = new CopyOnWriteArrayList<>();

		private volatile boolean failing = true;

		@Job(name = "one", queue = "orders")
		@Sequential(key = "#key", shards = 2, retries = 1)
		public void one(String key) {
			if (this.failing) {
				throw new IllegalStateException("planned");
			}
			this.ran.add(key);
		}

	}

}

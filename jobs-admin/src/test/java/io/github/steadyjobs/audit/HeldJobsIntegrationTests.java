package io.github.steadyjobs.audit;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.server.Runs;
import io.github.steadyjobs.server.WorkerFixture;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link JobAudit} with a worker that does not hold the jobs that are recorded
 * for it.
 */
@RedisTest
class HeldJobsIntegrationTests {

	private final TestRedis redis;

	HeldJobsIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	@DisplayName("The audit reports a job that its process does not hold")
	void auditWhenTheAcknowledgementWasLostNamesTheJob() {
		Runs held = Runs.held();
		JobAudit audit = new JobAudit(this.redis.connections(), this.redis.prefix());
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(2, "q")
			.beat(Duration.ofSeconds(1))
			.jobs(held)
			.start()) {
			String id = worker.enqueue("q", 0);
			String running = worker.enqueue("q", 1);
			held.awaitBegun(2);
			Map<String, Object> older = state("q");
			assertThat(audit.run().violations()).isEmpty();
			held.release();
			worker.awaitEmpty("q");
			restore("q", older);
			WorkerFixture.await().until(() -> !audit.run().isClean());
			assertThat(audit.run().violations()).extracting(Violation::kind, Violation::id)
				.containsExactlyInAnyOrder(tuple(ViolationKind.NOT_HELD, id), tuple(ViolationKind.NOT_HELD, running));
			WorkerFixture.await().until(() -> audit.run().isClean());
			worker.awaitEmpty("q");
			held.awaitEnded(4);
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

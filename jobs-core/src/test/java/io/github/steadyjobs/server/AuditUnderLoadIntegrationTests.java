package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.admin.AuditReport;
import io.github.steadyjobs.admin.JobAudit;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobAudit} while jobs move at full speed: what it reports then is
 * wrong.
 */
@RedisAndClusterTest
class AuditUnderLoadIntegrationTests {

	/**
	 * How many jobs wait: some pages of the audit, which are read while both ends move.
	 */
	private static final int BACKLOG = 4000;

	private final TestRedis redis;

	private final JobAudit audit;

	AuditUnderLoadIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.audit = new JobAudit(redis.connections(), redis.prefix());
	}

	@BeforeEach
	void clear() {
		this.redis.clear();
	}

	@Test
	void runWhenJobsMoveReportsNothing() throws Exception {
		AtomicInteger runs = new AtomicInteger();
		try (WorkerFixture workers = WorkerFixture.on(this.redis).capsule(10, "a", "b").jobs((number, job) -> {
			if (number >= 0) {
				runs.incrementAndGet();
			}
			if (number % 3 == 0 && job.attempt() == 1) {
				throw new IllegalStateException("again");
			}
			if (number % 50 == 0) {
				throw new IllegalStateException("to death");
			}
		}).start()) {
			AtomicBoolean over = new AtomicBoolean();
			Thread producer = new Thread(() -> produceUntil(workers, runs, over), "producer");
			producer.start();
			Launcher launcher = workers.launcher();
			List<AuditReport> reports = new ArrayList<>();
			Set<String> seen = new TreeSet<>();
			for (int round = 0; round < 20; round++) {
				reports.add(this.audit.run());
				seen.addAll(this.redis.contents("a").keySet());
				if (round % 7 == 6) {
					// Jobs go back to the head, processes leave and join.
					launcher.stop();
					launcher.start();
				}
			}
			over.set(true);
			producer.join();
			assertThat(reports).allSatisfy((report) -> {
				assertThat(report.violations()).isEmpty();
				assertThat(report.unconfirmed()).isZero();
			});
			assertThat(reports).extracting(AuditReport::looked).anyMatch((looked) -> looked > 1000);
			assertThat(runs.get()).isGreaterThan(1000);
			assertThat(seen).contains("locks", "lockof", "again", "mutexes", "windows", "parked");
		}
		assertThat(this.audit.run().violations()).isEmpty();
	}

	private static void produceUntil(WorkerFixture workers, AtomicInteger runs, AtomicBoolean over) {
		int number = 0;
		while (!over.get()) {
			int enqueued = number;
			WorkerFixture.await().until(() -> enqueued - runs.get() < BACKLOG);
			List<String> ids = new ArrayList<>(workers.enqueueAll("a", number, number + 1500));
			ids.addAll(workers.enqueueAll("b", number, number + 20));
			for (int i = 0; i < 10; i++) {
				workers.client().enqueueAll(locked(number)).forEach((result) -> ids.add(result.id()));
			}
			ids.add(workers.client()
				.enqueue(JobRequest.named(TestJobs.NAME, number).queue("a").after(Duration.ofMillis(30)))
				.id());
			ids.add(workers.client().enqueue(JobRequest.named("unknown.job", number).queue("b")).id());
			for (int i = 0; i < 20; i++) {
				workers.client().cancel(ids.get(ThreadLocalRandom.current().nextInt(ids.size())));
			}
			number += 1500;
		}
	}

	/**
	 * Jobs of all strategies, of which some wait for each other, fail, and run once more.
	 * Their numbers are negative.
	 */
	private static List<JobRequest> locked(int number) {
		List<JobRequest> requests = new ArrayList<>();
		for (Idempotence idempotence : List.of(Idempotence.untilExecuting(), Idempotence.untilExecuted(),
				Idempotence.untilExecuted().runOnceMore(), Idempotence.whileExecuting(),
				Idempotence.within(Duration.ofMillis(5)))) {
			for (int i = 0; i < 10; i++) {
				String key = idempotence.strategy() + " " + idempotence.ifDuplicate() + " " + i % 3;
				requests.add(WorkerFixture.request("a", -number - i).idempotent(idempotence.key(key)));
			}
		}
		return requests;
	}

}

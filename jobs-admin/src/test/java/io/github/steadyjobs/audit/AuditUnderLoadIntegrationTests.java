package io.github.steadyjobs.audit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.admin.JobLocks;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.server.TestJobs;
import io.github.steadyjobs.server.WorkerFixture;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobAudit} while jobs move at full speed. Any finding of the audit is a
 * false alarm.
 */
@RedisAndClusterTest
class AuditUnderLoadIntegrationTests {

	/**
	 * Number of waiting jobs at which the producer pauses. The audit reads these jobs in
	 * several pages, while both ends of the list change.
	 */
	private static final int BACKLOG = 4000;

	private static final List<String> LOCKS = List.of("locks", "lockof", "again", "mutexes", "windows", "parked");

	private final TestRedis redis;

	private final JobAudit audit;

	AuditUnderLoadIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.audit = new JobAudit(redis.connections(), redis.prefix());
	}

	@Test
	void runWhenJobsMoveReportsNothing() throws Exception {
		AtomicInteger runs = new AtomicInteger();
		AtomicReference<JobClient> client = new AtomicReference<>();
		try (WorkerFixture workers = WorkerFixture.on(this.redis)
			.capsule(10, "a", "b")
			.capsule("locked", 4, Order.STRICT, new Queue("c", 1))
			.jobs((number, job) -> {
				if (number >= 0) {
					runs.incrementAndGet();
				}
				if (isOnceMore(number) && job.attempt() == 1) {
					// The job is running, so this duplicate is dropped, and the job runs
					// once more after its retry.
					client.get().enqueue(onceMore(number));
					throw new IllegalStateException("again");
				}
				if (number % 3 == 0 && job.attempt() == 1) {
					throw new IllegalStateException("again");
				}
				if (number % 50 == 0) {
					throw new IllegalStateException("to death");
				}
			})
			.build()) {
			client.set(workers.client());
			workers.start();
			AtomicBoolean over = new AtomicBoolean();
			Thread producer = new Thread(() -> produceUntil(workers, runs, over), "producer");
			Thread locker = new Thread(() -> produceLockedUntil(workers, over), "locker");
			producer.start();
			locker.start();
			Launcher launcher = workers.launcher();
			List<AuditReport> reports = new ArrayList<>();
			Set<String> seen = new TreeSet<>();
			for (int round = 0; round < 20 || (round < 200 && !seen.containsAll(LOCKS)); round++) {
				reports.add(this.audit.run());
				seen.addAll(this.redis.contents("c").keySet());
				if (round % 7 == 6) {
					// Jobs return to the head of the queue, and processes leave and join.
					launcher.stop();
					launcher.start();
				}
			}
			over.set(true);
			producer.join();
			locker.join();
			assertThat(reports).allSatisfy((report) -> {
				assertThat(report.violations()).isEmpty();
				assertThat(report.unconfirmed()).isZero();
			});
			assertThat(reports).extracting(AuditReport::looked).anyMatch((looked) -> looked > 1000);
			assertThat(runs.get()).isGreaterThan(1000);
			assertThat(seen).containsAll(LOCKS);
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
	 * Enqueue jobs with locks as fast as workers run them. Cancel one job of each push,
	 * and release the lock of another.
	 */
	private void produceLockedUntil(WorkerFixture workers, AtomicBoolean over) {
		JobLocks locks = new JobLocks(this.redis.connections(), this.redis.prefix());
		while (!over.get()) {
			WorkerFixture.await()
				.until(() -> this.redis.template().opsForHash().size(this.redis.key("c", "payloads")) < 200);
			List<String> ids = workers.client().enqueueAll(locked()).stream().map(EnqueueResult::id).toList();
			workers.client().cancel(ids.get(ThreadLocalRandom.current().nextInt(ids.size())));
			locks.releaseOfJob(ids.get(ThreadLocalRandom.current().nextInt(ids.size())));
		}
	}

	/**
	 * Return jobs with locks of all strategies. Some of them wait for each other, fail,
	 * or run once more. Their numbers are negative.
	 */
	private static List<JobRequest> locked() {
		List<JobRequest> requests = new ArrayList<>();
		for (Idempotence idempotence : List.of(Idempotence.untilExecuting(), Idempotence.untilExecuted(),
				Idempotence.whileExecuting(), Idempotence.within(Duration.ofMillis(5)))) {
			for (int number = -13; number < -3; number++) {
				requests.add(WorkerFixture.request("c", number)
					.idempotent(idempotence.key(idempotence.strategy() + " " + number % 3)));
			}
		}
		for (int number = -3; number < 0; number++) {
			requests.add(onceMore(number));
		}
		return requests;
	}

	private static JobRequest onceMore(int number) {
		return WorkerFixture.request("c", number)
			.idempotent(Idempotence.untilExecuted().runOnceMore().key("once more " + number));
	}

	private static boolean isOnceMore(int number) {
		return number < 0 && number >= -3;
	}

}

package io.github.steadyjobs.server;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobTimeoutException;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.SnoozeJobException;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.assertj.core.data.TemporalUnitOffset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for the options of single jobs: expiry, timeout and rules for failures. Also for
 * jobs that snooze, and for runs that are interrupted when their job is cancelled.
 */
@RedisTest
class JobOptionsIntegrationTests {

	private static final TemporalUnitOffset NEARLY = within(10, ChronoUnit.SECONDS);

	private final TestRedis redis;

	private final List<String> ran = new CopyOnWriteArrayList<>();

	private final List<JobOutcome> outcomes = new CopyOnWriteArrayList<>();

	JobOptionsIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	void runWhenJobHasExpiredDropsItWithItsLock() {
		try (WorkerFixture worker = worker("q").jobs((number, job) -> this.ran.add("ran")).build()) {
			JobRequest request = WorkerFixture.request("q", 1)
				.idempotent(Idempotence.untilExecuted())
				.expiresAt(Instant.now().minusSeconds(3600));
			assertThat(worker.client().enqueue(request).accepted()).isTrue();
			assertThat(worker.client().enqueue(request)).isInstanceOf(EnqueueResult.Duplicate.class);
			worker.start();
			worker.awaitEmpty("q");
			assertThat(this.redis.contents("q")).doesNotContainKeys("locks", "lockof", "dead")
				.containsEntry("stats", Map.of("expired", "1"));
		}
		assertThat(this.ran).isEmpty();
		assertThat(this.outcomes).containsExactly(JobOutcome.EXPIRED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "-PT1H", "PT1H" })
	void runWhenTheClockOfTheProducerIsWrongExpiresByThatOfRedis(Duration skew) {
		Clock wrong = Clock.offset(Clock.systemUTC(), skew);
		try (WorkerFixture worker = worker("q").jobs((number, job) -> this.ran.add("ran " + number))
			.clock(wrong)
			.build()) {
			JobRequest late = WorkerFixture.request("q", 1).expiresAt(wrong.instant().minusSeconds(60));
			JobRequest inTime = WorkerFixture.request("q", 2).expires(Duration.ofMinutes(10));
			JobRequest scheduled = WorkerFixture.request("q", 3)
				.after(Duration.ofMillis(1))
				.expires(Duration.ofMinutes(10));
			JobRequest deduplicated = inTime.idempotent(Idempotence.untilExecuted());
			worker.client().enqueueAll(List.of(late, inTime, WorkerFixture.request("q", 4), scheduled, deduplicated));
			worker.start();
			worker.awaitEmpty("q");
			assertThat(this.redis.contents("q").get("stats")).isEqualTo(Map.of("done", "4", "expired", "1"));
		}
		assertThat(this.ran).containsExactlyInAnyOrder("ran 2", "ran 2", "ran 3", "ran 4");
	}

	@Test
	void enqueueWhenExpiryIsRelativeCountsFromWhenTheJobIsDue() {
		try (WorkerFixture worker = worker("q").bean(new OptionJobs()).build()) {
			String id = worker.client().enqueue(JobRequest.named("brief").after(Duration.ofHours(1))).id();
			JobPayload job = worker.client().find(id).orElseThrow();
			assertThat(job.limits().expiresAt()).isCloseTo(job.at().plus(Duration.ofMinutes(10)), NEARLY);
			id = worker.client().enqueue(JobRequest.named("brief").expires(Duration.ofMinutes(1))).id();
			job = worker.client().find(id).orElseThrow();
			assertThat(job.limits().expiresAt()).isCloseTo(job.enqueuedAt().plus(Duration.ofMinutes(1)), NEARLY);
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(() -> worker.client()
					.enqueue(JobRequest.named("brief").after(Duration.ofHours(1)).expiresAt(Instant.now())))
				.withMessageMatching("Job 'brief' expires at \\S+ but is due at \\S+, so it would never run");
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(
						() -> worker.client().enqueue(JobRequest.named("ordered", "a", 1).expires(Duration.ofHours(1))))
				.withMessageContaining("Job 'ordered' cannot expire at");
		}
	}

	@Test
	void enqueueWhenOrderedJobIsToBeRetriedElsewhereRefuses() {
		try (WorkerFixture worker = worker("q").bean(new OptionJobs()).build()) {
			for (JobRequest request : List.of(JobRequest.named("ordered", "a", 1),
					JobRequest.named("unknown").key("a"))) {
				assertThatExceptionOfType(InvalidJobException.class)
					.isThrownBy(() -> worker.client().enqueue(request.retryQueue("slow")))
					.withMessageContaining("cannot be retried in queue 'slow', because it is ordered");
			}
			assertThatIllegalArgumentException().isThrownBy(() -> JobRequest.named("brief").retryQueue("a b"))
				.withMessageStartingWith("'retryQueue' must be 1 to 64 of the characters");
		}
	}

	@Test
	@DisplayName("SK-47, SK-53: the retries and time budget of a request take precedence over the annotation")
	void enqueueWhenRequestSaysSoIsStoredWithThat() {
		try (WorkerFixture worker = worker("q").bean(new OptionJobs()).build()) {
			JobRequest request = JobRequest.named("brief");
			assertThat(stored(worker, request)).satisfies((job) -> {
				assertThat(job.field("retry").intValue()).isEqualTo(1);
				assertThat(job.limits().retryFor()).isEqualTo(Duration.ofDays(1));
				assertThat(job.limits().retryQueue()).isEqualTo("slow");
				assertThat(job.tags()).containsExactly("short", "quick");
				assertThat(job.limits().timeout()).isNull();
			});
			assertThat(stored(worker,
					request.retries(true)
						.retryFor(Duration.ofHours(1))
						.retryQueue("night")
						.tags("quick", "now")
						.timeout(Duration.ofHours(2))))
				.satisfies((job) -> {
					assertThat(job.field("retry").booleanValue()).isTrue();
					assertThat(job.limits().retryFor()).isEqualTo(Duration.ofHours(1));
					assertThat(job.limits().retryQueue()).isEqualTo("night");
					assertThat(job.tags()).containsExactly("short", "quick", "now");
					assertThat(job.limits().timeout()).isEqualTo(Duration.ofHours(2));
				});
			assertThat(stored(worker, request.retries(false)).field("retry").intValue()).isZero();
		}
	}

	private static JobPayload stored(WorkerFixture worker, JobRequest request) {
		return worker.client().find(worker.client().enqueue(request).id()).orElseThrow();
	}

	@Test
	void runWhenJobSnoozesComesBackWithoutUsingUpARetry() {
		try (WorkerFixture worker = worker("q").jobs((number, job) -> {
			this.ran.add(job.attempt() + " " + (job.scheduledAt() != null));
			if (this.ran.size() < 3) {
				throw new SnoozeJobException(Duration.ofMillis(1));
			}
		}).start()) {
			worker.client().enqueue(WorkerFixture.request("q", 1).retries(0));
			worker.awaitEmpty("q");
			assertThat(this.redis.contents("q").get("stats")).isEqualTo(Map.of("snoozed", "2", "done", "1"));
		}
		assertThat(this.ran).containsExactly("1 false", "1 true", "1 true");
		assertThat(this.outcomes).containsExactly(JobOutcome.SNOOZED, JobOutcome.SNOOZED, JobOutcome.DONE);
	}

	@Test
	void runWhenLockedJobSnoozesKeepsEqualOnesOutMeanwhile() {
		try (WorkerFixture worker = worker("q").jobs((number, job) -> {
			throw new SnoozeJobException(Duration.ofHours(1));
		}).start()) {
			JobRequest request = WorkerFixture.request("q", 1)
				.idempotent(Idempotence.untilExecuted().ttl(Duration.ofMinutes(1)));
			String id = worker.client().enqueue(request).id();
			WorkerFixture.await().until(() -> this.redis.contents("q").containsKey("retries"));
			assertThat(worker.client().enqueue(request).id()).isEqualTo(id);
			assertThat(this.redis.template().opsForHash().values(this.redis.key("q", "locks"))).singleElement()
				.satisfies((lock) -> {
					String expiry = lock.toString().substring(24, lock.toString().length() - 1);
					assertThat(Instant.ofEpochMilli(Long.parseLong(expiry, 16)))
						.isAfter(Instant.now().plus(Duration.ofMinutes(50)));
				});
		}
	}

	@Test
	void runWhenTimeIsUpFailsAndLeavesNoInterruptToTheNextJob() {
		OptionJobs jobs = new OptionJobs();
		List<Throwable> failures = new CopyOnWriteArrayList<>();
		try (WorkerFixture worker = worker("q").bean(jobs).onFailure((job, failure) -> failures.add(failure)).build()) {
			for (int i = 0; i < 5; i++) {
				worker.client().enqueue(JobRequest.named("brief").queue("q").retries(0).dead(false));
				worker.client().enqueue(JobRequest.named("notices").queue("q"));
			}
			worker.start();
			worker.awaitEmpty("q");
		}
		WorkerFixture.await().until(() -> failures.size() == 5);
		assertThat(failures).hasOnlyElementsOfType(JobTimeoutException.class)
			.allSatisfy((failure) -> assertThat(((JobTimeoutException) failure).timeout())
				.isEqualTo(Duration.ofMillis(30)));
		assertThat(jobs.ran).containsOnly("not interrupted").hasSize(5);
	}

	@Test
	void cancelWhenRunIsToBeInterruptedEndsItWithoutFailure() {
		CountDownLatch begun = new CountDownLatch(1);
		List<Throwable> failures = new CopyOnWriteArrayList<>();
		try (WorkerFixture worker = worker("q").jobs((number, job) -> {
			if (number == 1) {
				begun.countDown();
				new CountDownLatch(1).await();
			}
			this.ran.add("ran " + number + " " + Thread.currentThread().isInterrupted());
		}).onFailure((job, failure) -> failures.add(failure)).start()) {
			String id = worker.enqueue("q", 1);
			WorkerFixture.await().until(() -> begun.getCount() == 0);
			assertThat(worker.client().cancel(id, true)).isTrue();
			worker.awaitEmpty("q");
			worker.enqueue("q", 2);
			worker.awaitEmpty("q");
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(((Map<?, ?>) this.redis.contents("q").get("claims")).keySet())
					.noneMatch((claimant) -> claimant.toString().endsWith("/!")));
			assertThat(this.redis.contents("q").get("stats")).isEqualTo(Map.of("done", "1"));
		}
		assertThat(this.outcomes).containsExactly(JobOutcome.CANCELLED, JobOutcome.DONE);
		assertThat(this.ran).containsExactly("ran 2 false");
		assertThat(failures).isEmpty();
	}

	@Test
	void runWhenTypeOfFailureIsFinalIsDeadOrForgotten() {
		try (WorkerFixture worker = worker("q").bean(new OptionJobs()).build()) {
			String dead = worker.client().enqueue(JobRequest.named("fails", "dead").queue("q")).id();
			worker.client().enqueue(JobRequest.named("fails", "forgotten").queue("q"));
			worker.start();
			worker.awaitOnlyDead("q", dead);
			assertThat(this.redis.contents("q").get("stats")).isEqualTo(Map.of("dead", "1", "discarded", "1"));
			JobPayload job = worker.client().find(dead).orElseThrow();
			assertThat(job.errorClass()).isEqualTo(IOException.class.getName());
			assertThat(job.field("error_backtrace")).hasSize(2);
		}
	}

	@Test
	void runWhenOrderedJobSnoozesKeepsItsPlaceAndEachCallHasItsTime() {
		OptionJobs jobs = new OptionJobs();
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule("default", 1, Order.STRICT, Queue.inParts("ordered", 1, 1, 1))
			.bean(jobs)
			.build()) {
			for (int number = 1; number <= 4; number++) {
				worker.client().enqueue(JobRequest.named("ordered", "a", number).score(number));
			}
			worker.start();
			WorkerFixture.await().until(() -> jobs.ran.contains("4"));
			worker.awaitEmpty("ordered#0");
			assertThat(this.redis.contents("ordered#0").get("stats"))
				.isEqualTo(Map.of("snoozed", "1", "failed", "1", "done", "1"));
		}
		assertThat(jobs.ran).containsExactly("1", "2 snoozes", "2", "3 takes too long", "3", "4");
	}

	private WorkerFixture.Builder worker(String queue) {
		return WorkerFixture.on(this.redis).capsule(1, queue).listener(new JobListener() {

			@Override
			public void ended(JobContext job, JobOutcome outcome, Duration ran) {
				JobOptionsIntegrationTests.this.outcomes.add(outcome);
			}

		});
	}

	/**
	 * Jobs with various options. The job {@code notices} records whether its thread is
	 * interrupted.
	 */
	static class OptionJobs {

		final List<String> ran = new CopyOnWriteArrayList<>();

		private final AtomicInteger snoozes = new AtomicInteger();

		private final AtomicInteger timeouts = new AtomicInteger();

		@Job(name = "brief", timeout = "30ms", expires = "10m", retries = 1, retryFor = "1d", retryQueue = "slow",
				tags = { "short", "quick" })
		void brief() throws InterruptedException {
			new CountDownLatch(1).await();
		}

		@Job(name = "notices")
		void notices() {
			this.ran.add(Thread.currentThread().isInterrupted() ? "interrupted" : "not interrupted");
		}

		@Job(name = "fails", includes = Exception.class, excludes = IOException.class,
				discards = IllegalStateException.class, backtrace = 2)
		void fails(String how) throws Exception {
			throw how.equals("dead") ? new IOException() : new IllegalArgumentException(new IllegalStateException());
		}

		@Job(name = "ordered", queue = "ordered", timeout = "2s")
		@Sequential(key = "#key", score = "#number", shards = 1, retries = 3)
		void ordered(String key, int number) throws InterruptedException {
			if (number == 2 && this.snoozes.getAndIncrement() == 0) {
				this.ran.add("2 snoozes");
				throw new SnoozeJobException(Duration.ofMillis(1));
			}
			if (number == 3 && this.timeouts.getAndIncrement() == 0) {
				this.ran.add("3 takes too long");
				new CountDownLatch(1).await();
			}
			this.ran.add(Integer.toString(number));
		}

	}

}

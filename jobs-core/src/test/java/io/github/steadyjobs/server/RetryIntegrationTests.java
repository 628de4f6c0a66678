package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.steadyjobs.JobFailure;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for jobs that fail (SK-37, SK-38, SK-47, SK-50, SK-51).
 */
@RedisTest
class RetryIntegrationTests {

	private final TestRedis redis;

	private final Runs runs = new Runs();

	RetryIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	@DisplayName("SK-50: a failed job runs again, and ends when it succeeds")
	void runWhenJobFailsTwiceRunsItAThirdTimeAndEndsIt() {
		List<String> attempts = new CopyOnWriteArrayList<>();
		TestJobs.Body body = (number, job) -> {
			attempts.add(job.id() + " " + job.attempt() + "/" + job.maxAttempts());
			if (job.attempt() < 3) {
				throw new IllegalStateException("not yet");
			}
		};
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(2, "q").jobs(body).start()) {
			String id = worker.enqueue("q", 1);
			worker.awaitEmpty("q");
			assertThat(attempts).containsExactly(id + " 1/26", id + " 2/26", id + " 3/26");
			assertThat(this.redis.contents("q").get("stats")).isEqualTo(Map.of("failed", "2", "done", "1"));
		}
	}

	@Test
	@DisplayName("LK-39: an interceptor can decide which data of a failure is stored")
	void runWhenInterceptorThrowsAnotherExceptionStoresWhatThatSays() {
		TestJobs.Body body = (number, job) -> {
			throw new IllegalStateException("secret");
		};
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(2, "q")
			.jobs(body)
			.interceptor((job, chain) -> {
				try {
					chain.proceed();
				}
				catch (IllegalStateException ex) {
					throw new IllegalArgumentException("in other words", ex);
				}
			})
			.retryDelay((count, job, failure) -> Duration.ofHours(1))
			.start()) {
			String id = worker.enqueue("q", 1);
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(worker.client().find(id).map(JobPayload::errorMessage))
					.contains("in other words"));
			assertThat(worker.client().find(id).map(JobPayload::errorClass))
				.contains(IllegalArgumentException.class.getName());
		}
	}

	@Test
	void fencingTokenGrowsWithEachRunOfTheJob() {
		List<Long> tokens = new CopyOnWriteArrayList<>();
		TestJobs.Body body = (number, job) -> {
			tokens.add(job.fencingToken());
			if (job.attempt() < 4) {
				throw new IllegalStateException("not yet");
			}
		};
		String id;
		try (WorkerFixture first = WorkerFixture.on(this.redis)
			.capsule(2, "q")
			.jobs(body)
			.retryDelay(RetryDelay.exactly((count, job, failure) -> Duration.ofMillis((count == 1) ? 3_600_000 : 1)))
			.start()) {
			id = first.enqueue("q", 1);
			WorkerFixture.await().until(() -> tokens.size() == 2);
			awaitMember("retries", id);
		}
		this.redis.template().opsForZSet().add(this.redis.key("q", "retries"), id, 1);
		// This process numbers its claims from 1 again, but its fencing tokens must be
		// greater.
		try (WorkerFixture second = WorkerFixture.on(this.redis).capsule(2, "q").jobs(body).start()) {
			second.awaitEmpty("q");
		}
		assertThat(tokens).hasSize(4).isSorted().doesNotHaveDuplicates();
		assertThat(tokens.get(0)).isPositive();
	}

	@Test
	void runWhenJobFailsWaitsInTheRetrySetUntilItIsDue() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs((number, job) -> {
			this.runs.run(number, job);
			throw new IllegalStateException("broken");
		}).retryDelay(RetryDelay.exactly((count, job, failure) -> Duration.ofHours(1))).start()) {
			String id = worker.enqueue("q", 1);
			awaitMember("retries", id);
			JobPayload payload = worker.client().find(id).orElseThrow();
			assertThat(payload.attempts()).isOne();
			assertThat(payload.at()).isEqualTo(payload.failedAt().plus(Duration.ofHours(1)));
			assertThat(payload.errorMessage()).isEqualTo("broken");
			assertThat(payload.field("error_backtrace").size()).isEqualTo(2);
			assertThat(this.runs.begun()).hasSize(1);
			assertThat(this.redis.contents("q")).doesNotContainKeys("ready", "working");
		}
	}

	@Test
	@DisplayName("SK-47, SK-51: a job with no retries left is dead, with its last failure")
	void runWhenRetriesAreUsedUpIsDead() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs((number, job) -> {
			this.runs.run(number, job);
			throw new java.io.IOException("attempt " + job.attempt());
		}).start()) {
			String id = worker.client().enqueue(WorkerFixture.request("q", 1).retries(2)).id();
			awaitMember("dead", id);
			JobPayload payload = worker.client().find(id).orElseThrow();
			assertThat(this.runs.begun()).hasSize(3);
			assertThat(payload.attempts()).isEqualTo(3);
			assertThat(payload.errorClass()).isEqualTo("java.io.IOException");
			assertThat(payload.errorMessage()).isEqualTo("attempt 3");
			assertThat(payload.failures()).extracting(JobFailure::message)
				.containsExactly("attempt 1", "attempt 2", "attempt 3");
			assertThat(payload.failures()).isSortedAccordingTo(Comparator.comparing(JobFailure::time));
			assertThat(payload.failedAt()).isBeforeOrEqualTo(payload.retriedAt());
			assertThat(this.redis.contents("q")).doesNotContainKeys("ready", "working", "retries");
		}
	}

	@Test
	@DisplayName("SK-38: the dead set stays within its limits")
	void runWhenDeadSetIsFullDropsTheOldest() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs((number, job) -> {
			throw new IllegalStateException();
		}).dead(3, Duration.ofDays(180)).start()) {
			String old = "0123456789abcdef01234567";
			this.redis.template()
				.opsForZSet()
				.add(this.redis.key("q", "dead"), old, System.currentTimeMillis() - 60_000);
			this.redis.template().opsForHash().put(this.redis.key("q", "payloads"), old, "old");
			List<String> ids = worker.client()
				.enqueueAll(List.of(WorkerFixture.request("q", 1).retries(0), WorkerFixture.request("q", 2).retries(0),
						WorkerFixture.request("q", 3).retries(0)))
				.stream()
				.map((result) -> result.id())
				.toList();
			ids.forEach((id) -> awaitMember("dead", id));
			WorkerFixture.await().until(() -> worker.launcher().capsules().get(0).busy() == 0);
			assertThat(members("dead")).containsExactlyInAnyOrderElementsOf(ids);
			assertThat(worker.client().find(old)).isEmpty();
		}
	}

	@Test
	@DisplayName("SK-38: jobs that are too old are removed from the dead set even if no more jobs die")
	void startWhenDeadJobsBecomeTooOldDropsThem() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(1, "q")
			.jobs(this.runs)
			.dead(10, Duration.ofHours(1))
			.build()) {
			String old = "0123456789abcdef01234567";
			this.redis.template().opsForHash().put(this.redis.key("q", "payloads"), old, "old");
			this.redis.template()
				.opsForZSet()
				.add(this.redis.key("q", "dead"), old, System.currentTimeMillis() - 4_000_000);
			worker.start();
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(this.redis.contents("q")).doesNotContainKeys("dead", "payloads"));
		}
	}

	@Test
	@DisplayName("SK-38: jobs that are too old are removed from the dead set")
	void runWhenDeadJobsAreTooOldDropsThem() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs((number, job) -> {
			throw new IllegalStateException();
		}).start()) {
			long now = System.currentTimeMillis();
			this.redis.template()
				.opsForZSet()
				.add(this.redis.key("q", "dead"), "older", now - 180L * 86_400_000 - 60_000);
			this.redis.template()
				.opsForZSet()
				.add(this.redis.key("q", "dead"), "younger", now - 180L * 86_400_000 + 60_000);
			String id = worker.client().enqueue(WorkerFixture.request("q", 1).retries(0)).id();
			awaitMember("dead", id);
			assertThat(members("dead")).containsExactly("younger", id);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"jid\":\"x\",", "no JSON \u00fc\u0000\uD83D\uDE00", "[1,2]", "{}" })
	@DisplayName("SK-37: a malformed payload is dead as raw text, and the next job runs")
	void runWhenPayloadIsMalformedKeepsItByteForByteAsDeadAndGoesOn(String payload) {
		String id = "0123456789abcdef01234567";
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs(this.runs).start()) {
			worker.enqueueRaw("q", id, payload);
			worker.enqueue("q", 1);
			this.runs.awaitEnded(1);
			awaitMember("dead", id);
			assertThat(this.redis.template().opsForHash().get(this.redis.key("q", "payloads"), id)).isEqualTo(payload);
			assertThat(members("retries")).isEmpty();
		}
	}

	private void awaitMember(String set, String id) {
		WorkerFixture.await().until(() -> members(set).contains(id));
	}

	private java.util.Set<String> members(String set) {
		return this.redis.template().opsForZSet().range(this.redis.key("q", set), 0, -1);
	}

}

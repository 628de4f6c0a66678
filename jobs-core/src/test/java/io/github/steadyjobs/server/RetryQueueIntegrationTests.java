package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.steadyjobs.EnqueueResult.Duplicate;
import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for jobs that are retried in a different queue from the one in which they failed.
 */
@RedisAndClusterTest
@ExtendWith(OutputCaptureExtension.class)
class RetryQueueIntegrationTests {

	private final TestRedis redis;

	private final List<String> ran = new CopyOnWriteArrayList<>();

	RetryQueueIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	@DisplayName("SK-52: a failed job is retried in another queue, with the same id and its retry count")
	void runWhenJobFailsRunsItsRetriesInTheOtherQueue() {
		try (WorkerFixture worker = unaided("q", "slow").jobs(failing(3)).start()) {
			String id = worker.client().enqueue(WorkerFixture.request("q", 1).retryQueue("slow")).id();
			worker.awaitEmpty("q", "slow");
			assertThat(this.ran).containsExactly("q 1 " + id, "slow 2 " + id, "slow 3 " + id);
			assertThat(stats("q")).isEqualTo(Map.of("failed", "1"));
			assertThat(stats("slow")).isEqualTo(Map.of("failed", "1", "done", "1"));
			assertThat(this.redis.template().opsForSet().members(this.redis.prefix() + ":queues")).contains("slow");
		}
	}

	@Test
	void runWhenManyJobsFailRunsEachRetryOnceInTheOtherQueue() {
		try (WorkerFixture worker = unaided("q", "slow").jobs((number, job) -> {
			this.ran.add(job.queue() + " " + number);
			if (job.queue().equals("q")) {
				throw new IllegalStateException("on purpose");
			}
		}).start()) {
			List<Integer> numbers = Runs.numbers(0, 250);
			worker.client()
				.enqueueAll(numbers.stream()
					.map((number) -> WorkerFixture.request("q", number).retryQueue("slow"))
					.toList());
			worker.awaitEmpty("q", "slow");
			assertThat(this.ran).filteredOn((run) -> run.startsWith("slow "))
				.containsExactlyInAnyOrderElementsOf(numbers.stream().map((number) -> "slow " + number).toList());
			assertThat(this.ran).hasSize(500);
		}
	}

	@Test
	void runWhenLockedJobFailsWaitsInTheOtherQueueUntilItIsDueWithItsLock() {
		try (WorkerFixture worker = unaided("q").jobs(failing(3))
			.retryDelay(RetryDelay.exactly((count, job, failure) -> Duration.ofHours(1)))
			.start()) {
			JobRequest request = WorkerFixture.request("q", 1).idempotent(Idempotence.untilExecuted());
			String id = worker.client().enqueue(request.retryQueue("slow")).id();
			WorkerFixture.await().until(() -> this.redis.contents("slow").containsKey("retries"));
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(this.redis.contents("q")).doesNotContainKeys("payloads", "parked",
						"locks", "lockof"));
			Double due = this.redis.template().opsForZSet().score(this.redis.key("slow", "retries"), id);
			assertThat(due).isCloseTo(worker.client().find(id).orElseThrow().at().toEpochMilli(), within(10_000.0));
			assertThat(worker.client().enqueue(request.queue("slow"))).isEqualTo(new Duplicate(id, false));
		}
	}

	@Test
	void runWhenOnlyTheWorkerKnowsTheQueueForRetriesTakesThat() {
		try (WorkerFixture worker = worker("q", "slow").bean(new ElsewhereJobs()).start()) {
			String id = "0123456789abcdef01234567";
			worker.enqueueRaw("q", id, "{\"jid\":\"%s\",\"class\":\"elsewhere\",\"args\":[]}".formatted(id));
			worker.awaitEmpty("q", "slow");
			assertThat(this.ran).containsExactly("q 1 " + id, "slow 2 " + id);
		}
	}

	@Test
	void runWhenProcessDiedBeforeItMovedTheJobRetriesItWhereItFailed() {
		String id = parkedOnItsWay(60);
		try (WorkerFixture worker = worker("q", "slow").jobs(failing(1)).start()) {
			worker.awaitEmpty("q", "slow");
			assertThat(this.ran).containsExactly("q 2 " + id);
			assertOnePlaceEach();
		}
	}

	@Test
	void runWhenProcessDiedAfterTheOtherQueueHadTakenTheJobRunsItInBoth() {
		String id = parkedOnItsWay(60);
		copyTo("slow", id);
		try (WorkerFixture worker = worker("q", "slow").jobs(failing(1)).start()) {
			worker.awaitEmpty("q", "slow");
			assertThat(this.ran).containsExactlyInAnyOrder("q 2 " + id, "slow 2 " + id);
			assertOnePlaceEach();
		}
	}

	@Test
	void runWhenCopyOfABrokenMoveIsThereLeavesTheRetryToThat() {
		try (WorkerFixture worker = unaided("q").jobs(failing(3)).build()) {
			String id = worker.client().enqueue(WorkerFixture.request("q", 1).retryQueue("slow")).id();
			copyTo("slow", id);
			worker.start();
			worker.awaitEmpty("q");
			assertThat(this.ran).containsExactly("q 1 " + id);
			assertThat(this.redis.template().opsForHash().keys(this.redis.key("slow", "payloads"))).containsExactly(id);
			assertOnePlaceEach();
		}
	}

	@Test
	void cancelWhenJobIsOnItsWayCancelsItInBothQueues() {
		String id = parkedOnItsWay(0);
		copyTo("slow", id);
		try (WorkerFixture worker = unaided("q", "slow").jobs(failing(1)).build()) {
			// The list of queues does not contain the queue 'slow' yet.
			assertThat(worker.client().cancel(id)).isTrue();
			assertThat(worker.client().find(id)).isEmpty();
			assertOnePlaceEach();
			worker.start();
			worker.awaitEmpty("slow");
			assertThat(this.ran).isEmpty();
		}
	}

	/**
	 * Leave a job in the state left by a process that dies after it has settled the
	 * failure, but before it has moved the job.
	 */
	private String parkedOnItsWay(long secondsAgo) {
		String id;
		try (WorkerFixture client = worker("q").jobs(failing(1)).build()) {
			id = client.client().enqueue(WorkerFixture.request("q", 1)).id();
		}
		this.redis.template().delete(this.redis.key("q", "ready"));
		this.redis.template().opsForHash().put(this.redis.key("q", "payloads"), id, payload(id));
		long begun = System.currentTimeMillis() - 1000 * secondsAgo;
		this.redis.template()
			.opsForHash()
			.put(this.redis.key("q", "parked"), id, "moving:slow retries %d %d000".formatted(begun, begun));
		return id;
	}

	/**
	 * Store a job in its retry queue.
	 */
	private void copyTo(String queue, String id) {
		this.redis.template().opsForHash().put(this.redis.key(queue, "payloads"), id, payload(id));
		this.redis.template().opsForZSet().add(this.redis.key(queue, "retries"), id, 1);
	}

	private static String payload(String id) {
		return "{\"jid\":\"%s\",\"class\":\"%s\",\"args\":[1],\"retry_count\":0}".formatted(id, TestJobs.NAME);
	}

	private void assertOnePlaceEach() {
		List.of("q", "slow").forEach((queue) -> ScriptFixture.assertOnePlaceEach(this.redis, queue));
	}

	@Test
	void runWhenOtherQueueTakesNoJobsRetriesThemWhereTheyFailedAndSaysSoOnce(CapturedOutput output) {
		this.redis.template().opsForHash().put(this.redis.key("slow", "meta"), "schema", "999");
		try (WorkerFixture worker = unaided("q").jobs(failing(3)).start()) {
			String id = worker.client().enqueue(WorkerFixture.request("q", 1).retryQueue("slow")).id();
			worker.awaitEmpty("q");
			assertThat(this.ran).containsExactly("q 1 " + id, "q 2 " + id, "q 3 " + id);
			assertThat(this.redis.contents("slow")).containsOnlyKeys("meta");
		}
		assertThat(output.getOut().split("was to be retried in queue slow, which did not take it")).hasSize(2);
	}

	@Test
	void runWhenOrderedJobWasStoredWithAQueueForRetriesStaysWithItsKey() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule("default", 1, Order.STRICT, Queue.inParts("ordered", 1, 1, 1))
			.bean(new ElsewhereJobs())
			.build()) {
			String id = worker.client().enqueue(JobRequest.named("ordered", "a")).id();
			String payloads = this.redis.key("ordered#0", "payloads");
			String stored = (String) this.redis.template().opsForHash().get(payloads, id);
			this.redis.template()
				.opsForHash()
				.put(payloads, id, stored.replace(",\"created_at\"", ",\"retry_queue\":\"slow\",\"created_at\""));
			worker.start();
			worker.awaitEmpty("ordered#0");
			assertThat(this.ran).containsExactly("ordered 1 " + id, "ordered 2 " + id);
			assertThat(this.redis.contents("slow")).isEmpty();
		}
	}

	private WorkerFixture.Builder worker(String... queues) {
		return WorkerFixture.on(this.redis).capsule(1, queues);
	}

	/**
	 * Return workers that can learn of interrupted moves only from their first heartbeat,
	 * because the second heartbeat follows ten minutes later.
	 */
	private WorkerFixture.Builder unaided(String... queues) {
		return worker(queues).beat(Duration.ofMinutes(10)).deathAfter(Duration.ofHours(1));
	}

	/**
	 * Return the behaviour of jobs that record where they run. Job number 1 fails in all
	 * attempts before the given attempt.
	 */
	private TestJobs.Body failing(int before) {
		return (number, job) -> {
			note(job);
			if (number == 1 && job.attempt() < before) {
				throw new IllegalStateException("on purpose");
			}
		};
	}

	private void note(JobContext job) {
		this.ran.add(job.queue() + " " + job.attempt() + " " + job.id());
	}

	private Map<?, ?> stats(String queue) {
		return this.redis.template().opsForHash().entries(this.redis.key(queue, "stats"));
	}

	/**
	 * Jobs that fail once.
	 */
	class ElsewhereJobs {

		@Job(name = "elsewhere", queue = "q", retryQueue = "slow")
		void elsewhere(JobContext job) {
			failOnce(job);
		}

		@Job(name = "ordered", queue = "ordered")
		@Sequential(key = "#key", shards = 1, retries = 3)
		void ordered(String key, JobContext job) {
			failOnce(job);
		}

		private void failOnce(JobContext job) {
			note(job);
			if (job.attempt() == 1) {
				throw new IllegalStateException("on purpose");
			}
		}

	}

}

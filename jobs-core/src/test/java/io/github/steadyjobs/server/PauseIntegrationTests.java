package io.github.steadyjobs.server;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.steadyjobs.DiscardJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.PauseQueueException;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.pause.PauseStore.Order;
import io.github.steadyjobs.pause.Pauses;
import io.github.steadyjobs.pause.Pauses.Pause;
import io.github.steadyjobs.pause.Pauses.Target;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for workers with queues and jobs that are paused by operators or breakers.
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class PauseIntegrationTests {

	private static final Target QUEUE = Target.queue("q");

	private static final Target JOB = Target.job(TestJobs.NAME);

	private final TestRedis redis;

	private final PauseStore store;

	private final Runs runs = new Runs();

	private final AtomicBoolean broken = new AtomicBoolean();

	private final AtomicInteger attempts = new AtomicInteger();

	PauseIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.store = new PauseStore(redis.connections(), redis.prefix());
	}

	@BeforeEach
	@AfterEach
	void resumeAll() {
		this.store.read().all().forEach((pause) -> resume(pause.target()));
	}

	@Test
	@DisplayName("SK-31: workers claim nothing from a paused queue, serve the other queues, and serve the paused queue again as soon as it is resumed")
	void fetchWhenQueueIsPausedTakesNothingUntilItIsResumed() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.wokenByTokensOnly()
			.capsule(2, "q", "other")
			.jobs(this.runs)
			.start()) {
			worker.enqueue("q", 0);
			this.runs.awaitEnded(1);
			pause(QUEUE, null);
			worker.enqueue("q", 1);
			worker.enqueue("other", 2);
			this.runs.awaitEnded(2);
			assertThat(this.runs.ended()).containsExactly(0, 2);
			long resumed = System.nanoTime();
			resume(QUEUE);
			this.runs.awaitEnded(3);
			assertThat(Duration.ofNanos(System.nanoTime() - resumed)).isLessThan(Duration.ofSeconds(5));
		}
	}

	@Test
	void fetchWhenPauseHasAnEndGoesOnByItself(CapturedOutput output) {
		try (WorkerFixture worker = worker()) {
			worker.enqueue("q", 0);
			this.runs.awaitEnded(1);
			pause(JOB, Instant.now().plusSeconds(1));
			worker.enqueue("q", 1);
			WorkerFixture.await().until(() -> parked() == 1);
			this.runs.awaitEnded(2);
			pause(QUEUE, Instant.now().plusSeconds(1));
			worker.enqueue("q", 2);
			this.runs.awaitEnded(3);
			assertThat(this.store.read().all()).isEmpty();
			assertThat(output).contains("Paused: queue q, by ann since ");
			// The job may run before the line is written.
			WorkerFixture.await().untilAsserted(() -> assertThat(output).contains("No longer paused: queue q"));
		}
	}

	@Test
	void fetchWhenNameIsPausedParksItsJobsAndRunsOthers() {
		Others others = new Others();
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs(this.runs).bean(others).start()) {
			worker.enqueue("q", 0);
			this.runs.awaitEnded(1);
			pause(JOB, null);
			worker.enqueueAll("q", 1, 6);
			worker.client().enqueue(JobRequest.named("other.job", "a").queue("q"));
			worker.client().enqueue(JobRequest.named("former.job", "b").queue("q"));
			WorkerFixture.await().until(() -> others.seen.size() == 2);
			WorkerFixture.await().until(() -> parked() == 5);
			assertThat(this.runs.ended()).containsExactly(0);
			resume(JOB);
			worker.awaitEmpty("q");
			// Plain jobs have no guaranteed order, not even with a single worker.
			assertThat(this.runs.ended()).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
		}
	}

	@Test
	void fetchWhenJobsAreStoredInAnotherWayHoldsThemToo(CapturedOutput output) {
		Others others = new Others();
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").bean(others).start()) {
			pause(Target.job("other.job"), null);
			WorkerFixture.await().until(() -> output.getOut().contains("Paused: job other.job"));
			// One job has a former name, and the other has its fields in a different
			// order.
			worker.client().enqueue(JobRequest.named("former.job", "a").queue("q"));
			String id = "0123456789abcdef01234567";
			worker.enqueueRaw("q", id, "{\"class\":\"other.job\",\"args\":[\"b\"],\"jid\":\"%s\"}".formatted(id));
			WorkerFixture.await().until(() -> parked() == 2);
			assertThat(others.seen).isEmpty();
			resume(Target.job("other.job"));
			worker.awaitEmpty("q");
			assertThat(others.seen).containsExactlyInAnyOrder("a", "b");
		}
	}

	@Test
	void fetchWhenQueueIsNewerThanThePauseObeys() {
		pause(JOB, null);
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "young").jobs(this.runs).start()) {
			WorkerFixture.await()
				.until(() -> this.redis.template().opsForHash().hasKey(this.redis.key("young", "meta"), "paused-jobs"));
			worker.enqueue("young", 1);
			WorkerFixture.await()
				.until(() -> this.redis.template().opsForHash().size(this.redis.key("young", "parked")) == 1);
			resume(JOB);
			worker.awaitEmpty("young");
		}
	}

	@Test
	void fetchWhenThePauseWasEndedButNobodyBroughtJobsBackDoesSo() {
		try (WorkerFixture worker = worker()) {
			worker.enqueue("q", 0);
			this.runs.awaitEnded(1);
			pause(JOB, null);
			worker.enqueue("q", 1);
			WorkerFixture.await().until(() -> parked() == 1);
			// Simulate the death of a process that was half-way through resuming.
			this.redis.template().delete(this.redis.prefix() + ":pauses");
			this.redis.template().opsForHash().put(this.redis.prefix() + ":pauses", "version", "9000000000000000 x");
			worker.awaitEmpty("q");
			this.redis.template().delete(this.redis.prefix() + ":pauses");
			this.redis.template().opsForHash().delete(this.redis.key("q", "meta"), "pauses");
		}
	}

	@Test
	void fetchWhenOnlyTheQueueStillKnowsOfTheEndOfThePauseRunsItsJobs(CapturedOutput output) {
		try (WorkerFixture worker = worker()) {
			worker.enqueue("q", 0);
			this.runs.awaitEnded(1);
			pause(JOB, null);
			WorkerFixture.await().until(() -> output.getOut().contains("Paused: job " + TestJobs.NAME));
			// Simulate a failover that loses the end of the pause after the queue was
			// told.
			Pauses known = this.store.read();
			this.store.tell(List.of("q"), new Pauses(known.version() + 1, known.now(), Map.of()));
			// After two more heartbeats, the process has heard of the end, and has read
			// the pauses again.
			int beats = worker.events(WorkerEvent.Beat.class).size();
			WorkerFixture.await().until(() -> worker.events(WorkerEvent.Beat.class).size() > beats + 2);
			worker.enqueue("q", 1);
			this.runs.awaitEnded(2);
		}
	}

	@Test
	void fetchWhenQueueHasShardsPausesAllOfThem() {
		OrderedJob job = new OrderedJob();
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule("default", 2, Capsule.Order.STRICT, Capsule.Queue.inParts("ordered", 1, 3, 1))
			.bean(job)
			.start()) {
			pause(Target.queue("ordered"), null);
			for (int key = 0; key < 20; key++) {
				worker.client().enqueue(JobRequest.named("ordered", "k" + key));
			}
			for (int shard = 0; shard < 3; shard++) {
				String meta = this.redis.key("ordered#" + shard, "meta");
				WorkerFixture.await().until(() -> this.redis.template().opsForHash().hasKey(meta, "paused"));
			}
			assertThat(job.seen).isEmpty();
			resume(Target.queue("ordered"));
			WorkerFixture.await().until(() -> job.seen.size() == 20);
		}
	}

	@Test
	void startWhenSomethingIsPausedSaysSo(CapturedOutput output) {
		pause(JOB, null);
		try (WorkerFixture worker = worker()) {
			WorkerFixture.await()
				.until(() -> output.getOut()
					.matches("(?s).*Paused: job test.job, by ann since \\S+: Invoices are wrong.*"));
		}
	}

	@Test
	void runWhenJobFailsTooOftenPausesItAndTriesOneUntilThatEndsWell(CapturedOutput output) {
		this.broken.set(true);
		try (WorkerFixture worker = breaking(JOB, 3, Duration.ofMillis(200))) {
			worker.enqueueAll("q", 0, 5);
			Pause first = awaitPause(JOB, null);
			assertThat(first.triesOne()).isTrue();
			assertThat(first.who()).startsWith("breaker of ");
			assertThat(first.why()).isEqualTo("3 failures within PT1M, the last one: java.lang.IllegalStateException");
			assertThat(first.until() - first.since()).isEqualTo(200);
			Pause second = awaitPause(JOB, first);
			assertThat(second.until() - second.since()).isEqualTo(400);
			assertThat(second.why()).isEqualTo("The job that was tried failed too: java.lang.IllegalStateException");
			this.broken.set(false);
			worker.awaitEmpty("q");
			WorkerFixture.await().until(() -> this.store.read().all().isEmpty());
			assertThat(this.runs.ended()).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
			assertThat(output).contains("No longer paused: job test.job");
		}
	}

	@Test
	void runWhenQueueFailsTooOftenTriesOneJobAtATime() {
		this.broken.set(true);
		try (WorkerFixture worker = breaking(QUEUE, 2, Duration.ofMillis(300))) {
			worker.enqueueAll("q", 0, 20);
			Pause first = awaitPause(QUEUE, null);
			String told = Long.toString(first.version());
			WorkerFixture.await()
				.until(() -> this.redis.template().opsForHash().get(this.redis.key("q", "meta"), "paused"),
						(paused) -> paused != null && paused.toString().startsWith(told));
			// A job that was already running may still end.
			int before = this.attempts.get();
			Pause second = awaitPause(QUEUE, first);
			assertThat(this.attempts.get()).isBetween(before + 1, before + 2);
			awaitPause(QUEUE, second);
			this.broken.set(false);
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).hasSize(20);
		}
	}

	@Test
	void runWhenTheTriedJobOfAQueueSaysNothingTriesTheNext() {
		assertTriesTheNext(QUEUE);
	}

	@Test
	void runWhenTheTriedJobOfANameSaysNothingTriesTheNext() {
		assertTriesTheNext(JOB);
	}

	private void assertTriesTheNext(Target target) {
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(1, "q")
			.breaker(target, 1, Duration.ofMillis(300))
			.jobs((number, job) -> {
				if (number == 0 && job.attempt() == 1) {
					throw new IllegalStateException("broken");
				}
				if (number > 0 && number < 4) {
					throw new DiscardJobException("gone");
				}
				this.runs.run(number, job);
			})
			.start()) {
			worker.enqueue("q", 0);
			Pause pause = awaitPause(target, null);
			JobRequest brief = WorkerFixture.request("q", 9)
				.expiresAt(Instant.ofEpochMilli((pause.since() + pause.until()) / 2));
			worker.client().enqueueAll(List.of(brief, brief, brief));
			worker.enqueueAll("q", 1, 5);
			worker.awaitEmpty("q");
			WorkerFixture.await().until(() -> this.store.read().all().isEmpty());
			assertThat(this.runs.ended()).containsExactlyInAnyOrder(0, 4);
		}
	}

	@Test
	void runWhenJobAsksForAPauseRunsItAgainAfterwardsWithoutARetry() {
		List<Integer> seen = new CopyOnWriteArrayList<>();
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs((number, job) -> {
			seen.add(job.attempt());
			if (seen.size() == 1) {
				throw new PauseQueueException("429\nToo Many Requests", Duration.ofMillis(300));
			}
		}).start()) {
			worker.enqueueAll("q", 0, 3);
			Pause pause = awaitPause(QUEUE, null);
			assertThat(pause.why()).startsWith("Asked for by job ").endsWith(": 429\nToo Many Requests");
			assertThat(pause).asString().endsWith(": 429 Too Many Requests");
			worker.awaitEmpty("q");
			assertThat(seen).hasSizeBetween(4, 5).containsOnly(1);
			WorkerFixture.await().until(() -> this.store.read().all().isEmpty());
		}
	}

	@Test
	void runWhenJobAsksForAPauseOfItsNameLetsOthersRun() {
		Others others = new Others();
		AtomicInteger calls = new AtomicInteger();
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").bean(others).jobs((number, job) -> {
			if (calls.incrementAndGet() == 1) {
				throw new PauseQueueException("later", Instant.now().plusSeconds(60)).ofJobOnly();
			}
		}).start()) {
			worker.enqueue("q", 0);
			awaitPause(JOB, null);
			WorkerFixture.await()
				.until(() -> this.redis.template().opsForHash().hasKey(this.redis.key("q", "meta"), "paused-jobs"));
			worker.enqueue("q", 1);
			worker.client().enqueue(JobRequest.named("other.job", "a").queue("q"));
			WorkerFixture.await().until(() -> others.seen.size() == 1);
			assertThat(calls).hasValue(1);
			assertThat(this.store.read().find(QUEUE)).isNull();
		}
		resume(JOB);
		this.redis.template()
			.delete(List.of(this.redis.key("q", "retries"), this.redis.key("q", "payloads"),
					this.redis.key("q", "ready"), this.redis.key("q", "parked")));
	}

	private WorkerFixture worker() {
		return WorkerFixture.on(this.redis).capsule(1, "q").jobs(this.runs).start();
	}

	private WorkerFixture breaking(Target target, int failures, Duration pause) {
		return WorkerFixture.on(this.redis).capsule(1, "q").breaker(target, failures, pause).jobs((number, job) -> {
			this.attempts.incrementAndGet();
			if (this.broken.get()) {
				throw new IllegalStateException("broken");
			}
			this.runs.run(number, job);
		}).start();
	}

	private Pause awaitPause(Target target, @Nullable Pause before) {
		return WorkerFixture.await()
			.until(() -> this.store.read().find(target),
					(pause) -> pause != null && (before == null || pause.version() != before.version()));
	}

	private long parked() {
		return this.redis.template().opsForHash().size(this.redis.key("q", "parked"));
	}

	private void pause(Target target, @Nullable Instant until) {
		assertThat(this.store.change(target, (standing) -> true, Order.byPerson(until, "ann", "Invoices are wrong"))
			.done()).isTrue();
	}

	private void resume(Target target) {
		this.store.change(target, (standing) -> true, null);
	}

	static class Others {

		private final List<String> seen = new CopyOnWriteArrayList<>();

		@Job(name = "other.job", aliases = "former.job")
		void run(String text) {
			this.seen.add(text);
		}

	}

	static class OrderedJob {

		private final List<String> seen = new CopyOnWriteArrayList<>();

		@Job(name = "ordered")
		@Sequential(key = "#key", shards = 3)
		void run(String key) {
			this.seen.add(key);
		}

	}

}

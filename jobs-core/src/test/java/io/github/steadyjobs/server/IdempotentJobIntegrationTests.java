package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.github.steadyjobs.ConsistencySource;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.EnqueueResult.Duplicate;
import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for equal jobs, from the client to the end of their runs.
 */
@RedisTest
class IdempotentJobIntegrationTests {

	private final TestRedis redis;

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicInteger most = new AtomicInteger();

	private final Queue<Integer> ran = new ConcurrentLinkedQueue<>();

	IdempotentJobIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	@DisplayName("GL-13: of all duplicates that arrive while a job runs, only the newest is processed after it, once")
	void runWhenDuplicatesArriveMeanwhileRunsTheNewestOnceMore() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch gate = new CountDownLatch(1);
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(3, "q").jobs((number, job) -> {
			this.ran.add(number);
			begun.countDown();
			gate.await(30, TimeUnit.SECONDS);
		}).start()) {
			Idempotence newest = Idempotence.untilExecuted().runOnceMore().key("the same");
			EnqueueResult first = enqueue(worker, 1, newest);
			assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
			for (int number = 2; number <= 5; number++) {
				assertThat(enqueue(worker, number, newest)).isEqualTo(new Duplicate(first.id(), true));
			}
			gate.countDown();
			worker.awaitEmpty("q");
			assertThat(this.ran).containsExactly(1, 5);
			assertNoLockIsLeft();
		}
	}

	@Test
	@DisplayName("GL-12: a job that fails keeps equal jobs out until it has ended for good")
	void runWhenFailedKeepsDuplicatesAwayUntilItIsDead() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(1, "q")
			.retryDelay((count, job, failure) -> Duration.ofHours(1))
			.jobs((number, job) -> {
				this.ran.add(number);
				throw new IllegalStateException("on purpose");
			})
			.start()) {
			Idempotence once = Idempotence.untilExecuted().key("the same");
			String id = worker.client().enqueue(WorkerFixture.request("q", 1).idempotent(once).retries(1)).id();
			WorkerFixture.await()
				.until(() -> this.redis.template().opsForZSet().score(this.redis.key("q", "retries"), id) != null);
			assertThat(enqueue(worker, 2, once)).isEqualTo(new Duplicate(id, false));
			this.redis.template().opsForZSet().add(this.redis.key("q", "retries"), id, 1);
			this.redis.template().opsForList().leftPush(this.redis.key("q", "wake"), "1");
			worker.awaitOnlyDead("q", id);
			assertNoLockIsLeft();
			assertThat(enqueue(worker, 3, once)).isInstanceOf(EnqueueResult.Enqueued.class);
		}
	}

	@Test
	@DisplayName("GL-12: with 'until executed', equal jobs never overlap, because they are kept out until the run has ended")
	void runWhenLockedUntilExecutedNeverOverlaps() {
		Runs held = Runs.held();
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(8, "q").jobs((number, job) -> {
			this.most.accumulateAndGet(this.running.incrementAndGet(), Math::max);
			held.run(number, job);
			this.running.decrementAndGet();
		}).start()) {
			Idempotence once = Idempotence.untilExecuted().key("the same");
			EnqueueResult first = enqueue(worker, 0, once);
			assertThat(enqueue(worker, 1, once)).isEqualTo(new Duplicate(first.id(), false));
			held.awaitBegun(1);
			assertThat(enqueue(worker, 2, once)).isEqualTo(new Duplicate(first.id(), false));
			held.release();
			List<Integer> accepted = new ArrayList<>(List.of(0));
			for (int number = 3; number < 300; number++) {
				if (enqueue(worker, number, once) instanceof EnqueueResult.Enqueued) {
					accepted.add(number);
				}
			}
			worker.awaitEmpty("q");
			assertThat(accepted).hasSizeGreaterThan(1);
			assertThat(held.ended()).containsExactlyElementsOf(accepted);
			assertThat(this.most).hasValue(1);
			assertNoLockIsLeft();
		}
	}

	@Test
	void runWhenEqualJobsMustNotOverlapRunsOneAtATime() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(8, "q").jobs((number, job) -> {
			this.most.accumulateAndGet(this.running.incrementAndGet(), Math::max);
			Thread.yield();
			this.ran.add(number);
			this.running.decrementAndGet();
		}).start()) {
			List<JobRequest> requests = Runs.numbers(0, 200)
				.stream()
				.map((number) -> WorkerFixture.request("q", number)
					.idempotent(Idempotence.whileExecuting().key("the same")))
				.toList();
			worker.client().enqueueAll(requests);
			worker.awaitEmpty("q");
			assertThat(this.ran).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, 200));
			assertThat(this.most).hasValue(1);
			assertNoLockIsLeft();
		}
	}

	@Test
	void runWhenWithinWindowKeepsEqualOnesOutAfterTheEndToo() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(1, "q")
			.jobs((number, job) -> this.ran.add(number))
			.start()) {
			Idempotence hourly = Idempotence.within(Duration.ofHours(1)).key("the same");
			EnqueueResult first = enqueue(worker, 1, hourly);
			worker.awaitEmpty("q");
			assertThat(enqueue(worker, 2, hourly)).isEqualTo(new Duplicate(first.id(), false));
			assertThat(this.ran).containsExactly(1);
		}
	}

	@Test
	@DisplayName("GL-21, GL-22: a run sees data at least as new as when its newest duplicate was enqueued, or is postponed")
	void runWhenDataIsNotNewEnoughIsPutOff() {
		Replica replica = new Replica();
		AtomicReference<Map<String, String>> seen = new AtomicReference<>(Map.of());
		Queue<JobOutcome> outcomes = new ConcurrentLinkedQueue<>();
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(1, "q")
			.source(replica)
			.listener(new JobListener() {

				@Override
				public void ended(JobContext job, JobOutcome outcome, Duration ran) {
					outcomes.add(outcome);
				}

			})
			.jobs((number, job) -> {
				assertThat(replica.begun).hasValue(1);
				seen.set(job.consistency());
				this.ran.add(number);
				assertThat(job.attempt()).isOne();
			})
			.build()) {
			Idempotence consistent = Idempotence.untilExecuted().key("the same").withConsistency();
			enqueue(worker, 1, consistent);
			replica.written = "0009";
			enqueue(worker, 2, consistent);
			replica.replayed = "0008";
			worker.start();
			WorkerFixture.await().until(() -> outcomes.contains(JobOutcome.PUT_OFF));
			assertThat(this.ran).isEmpty();
			replica.replayed = "0009";
			worker.awaitEmpty("q");
			assertThat(this.ran).containsExactly(1);
			assertThat(seen).hasValue(Map.of("replica", "0009"));
			assertThat(replica.begun).hasValue(0);
			assertThat(this.redis.template().opsForHash().entries(this.redis.key("q", "stats")))
				.containsEntry("done", "1")
				.doesNotContainKey("failed");
		}
	}

	@Test
	void runWhenSourceFailsFailsTheJob() {
		Replica replica = new Replica();
		replica.failure = new IllegalStateException("The replica is on fire");
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(1, "q")
			.source(replica)
			.jobs((number, job) -> this.ran.add(number))
			.start()) {
			String id = worker.client()
				.enqueue(WorkerFixture.request("q", 1)
					.retries(0)
					.idempotent(Idempotence.untilExecuting().withConsistency()))
				.id();
			worker.awaitOnlyDead("q", id);
			assertThat(worker.client().find(id).orElseThrow().errorMessage()).isEqualTo("The replica is on fire");
			assertThat(this.ran).isEmpty();
		}
	}

	private EnqueueResult enqueue(WorkerFixture worker, int number, Idempotence idempotence) {
		return worker.client().enqueue(WorkerFixture.request("q", number).idempotent(idempotence));
	}

	private void assertNoLockIsLeft() {
		assertThat(List.of("locks", "lockof", "again", "mutexes"))
			.noneMatch((name) -> this.redis.template().hasKey(this.redis.key("q", name)));
	}

	private static final class Replica implements ConsistencySource {

		private final AtomicInteger begun = new AtomicInteger();

		private volatile String written = "0007";

		private volatile String replayed = "0007";

		private volatile @Nullable RuntimeException failure;

		@Override
		public String name() {
			return "replica";
		}

		@Override
		public String position() {
			return this.written;
		}

		@Override
		public boolean begin(String position) {
			RuntimeException failure = this.failure;
			if (failure != null) {
				throw failure;
			}
			boolean ready = this.replayed.compareTo(position) >= 0;
			if (ready) {
				this.begun.incrementAndGet();
			}
			return ready;
		}

		@Override
		public void end() {
			this.begun.decrementAndGet();
		}

	}

}

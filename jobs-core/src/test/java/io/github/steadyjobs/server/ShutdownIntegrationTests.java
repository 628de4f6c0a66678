package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a shutdown while jobs are running (SK-20 to SK-26, SK-35, SK-39, SK-40).
 */
@RedisTest
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class ShutdownIntegrationTests {

	private static final int JOBS = 25;

	private static final Duration SHORT = Duration.ofMillis(300);

	private final TestRedis redis;

	private final CountDownLatch never = new CountDownLatch(1);

	ShutdownIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	@DisplayName("SK-20: jobs that end in time are completed")
	void stopWhenJobsEndInTimeLetsThemAll(CapturedOutput output) {
		AtomicInteger begun = new AtomicInteger();
		Runs ended = new Runs();
		TestJobs.Body body = (number, job) -> {
			begun.incrementAndGet();
			WorkerFixture.await().until(job::isStopping);
			ended.run(number, job);
		};
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(JOBS, "q").jobs(body).start()) {
			worker.enqueueAll("q", 0, JOBS);
			WorkerFixture.await().until(() -> begun.get() == JOBS);
			worker.launcher().stop();
			assertThat(ended.ended()).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, JOBS));
			worker.awaitEmpty("q");
			assertThat(output).contains("Workers stopped, all jobs that had begun have ended");
		}
	}

	@Test
	@DisplayName("SK-23, SK-25: jobs that do not end are put back at the head of the queue, then interrupted, and do not count as failed")
	void stopWhenJobsDoNotEndPutsThemBackInOrder(CapturedOutput output) {
		List<Integer> interrupted = new CopyOnWriteArrayList<>();
		List<Long> readyAtInterrupt = new CopyOnWriteArrayList<>();
		Told told = new Told();
		CountDownLatch begun = new CountDownLatch(JOBS);
		TestJobs.Body body = (number, job) -> {
			begun.countDown();
			try {
				this.never.await();
			}
			catch (InterruptedException ex) {
				readyAtInterrupt.add(this.redis.template().opsForList().size(this.redis.key("q", "ready")));
				interrupted.add(number);
				throw ex;
			}
		};
		List<String> ids;
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(JOBS, "q")
			.jobs(body)
			.listener(told)
			.shutdownTimeout(SHORT)
			.start()) {
			ids = new ArrayList<>(worker.enqueueAll("q", 0, JOBS));
			awaitZero(begun);
			ids.addAll(worker.enqueueAll("q", JOBS, JOBS + 5));
			worker.launcher().stop();
			assertThat(interrupted).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, JOBS));
			assertThat(readyAtInterrupt).containsOnly((long) ids.size());
			assertThat(told.outcomes).hasSize(JOBS).containsOnly(JobOutcome.RELEASED);
			assertThat(ids).allSatisfy(
					(id) -> assertThat(worker.client().find(id).orElseThrow().field("retry_count").isMissingNode())
						.isTrue());
		}
		List<String> oldestFirst = new ArrayList<>(
				this.redis.template().opsForList().range(this.redis.key("q", "ready"), 0, -1));
		Collections.reverse(oldestFirst);
		assertThat(oldestFirst).isEqualTo(ids);
		assertThat(this.redis.contents("q")).doesNotContainKeys("working", "retries", "beats", "claims");
		assertThat(output).contains("Workers stop, and 25 running jobs get up to 0.3 s to end")
			.contains(ids.stream().limit(JOBS).map((id) -> TestJobs.NAME + "[" + id + "] of queue q").toList())
			.contains("Workers stopped. Back at the head of their queue, because they had not ended: 25")
			.doesNotContain("ERROR");
		Runs runs = new Runs();
		try (WorkerFixture other = WorkerFixture.on(this.redis).capsule(1, "q").jobs(runs).start()) {
			other.awaitEmpty("q");
			assertThat(runs.ended()).isEqualTo(Runs.numbers(0, JOBS + 5));
		}
	}

	@Test
	@DisplayName("SK-23: interrupted jobs get a little time to clean up")
	void stopWhenInterruptedJobsCleanUpWaitsForThem() {
		Thread stopping = Thread.currentThread();
		CountDownLatch begun = new CountDownLatch(1);
		AtomicBoolean cleanedUp = new AtomicBoolean();
		TestJobs.Body body = (number, job) -> {
			begun.countDown();
			try {
				this.never.await();
			}
			catch (InterruptedException ex) {
				// Clean up only while stop() is waiting for the jobs that it has
				// interrupted.
				WorkerFixture.await().until(() -> isWaiting(stopping));
				cleanedUp.set(true);
				throw ex;
			}
		};
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(1, "q")
			.jobs(body)
			.shutdownTimeout(SHORT)
			.start()) {
			worker.enqueue("q", 0);
			awaitZero(begun);
			worker.launcher().stop();
			assertThat(cleanedUp).isTrue();
		}
	}

	private static boolean isWaiting(Thread thread) {
		return thread.getState() == Thread.State.TIMED_WAITING && LockSupport.getBlocker(thread) instanceof Shutdown;
	}

	@Test
	@DisplayName("SK-24: a job that ends after it was put back runs twice, and the end of its first run does not count")
	void stopWhenJobIgnoresTheInterruptSettlesNothingForIt() {
		CountDownLatch begun = new CountDownLatch(1);
		Told told = new Told();
		TestJobs.Body body = (number, job) -> {
			begun.countDown();
			boolean interrupted = false;
			while (!interrupted) {
				interrupted = Thread.interrupted();
				Thread.onSpinWait();
			}
		};
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(1, "q")
			.jobs(body)
			.listener(told)
			.shutdownTimeout(SHORT)
			.start()) {
			String id = worker.enqueue("q", 0);
			awaitZero(begun);
			worker.launcher().stop();
			assertThat(told.outcomes).containsExactly(JobOutcome.DONE);
			assertThat(this.redis.template().opsForList().range(this.redis.key("q", "ready"), 0, -1))
				.containsExactly(id);
			assertThat(worker.client().find(id)).isPresent();
		}
	}

	@Test
	void stopWhenTwoCapsulesServeOneQueueStartsNoneOfTheReturnedJobs() {
		CountDownLatch begun = new CountDownLatch(4);
		AtomicInteger runs = new AtomicInteger();
		TestJobs.Body body = (number, job) -> {
			runs.incrementAndGet();
			begun.countDown();
			this.never.await();
		};
		Capsule.Queue queue = new Capsule.Queue("q", 1);
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule("a", 2, Capsule.Order.STRICT, queue)
			.capsule("b", 2, Capsule.Order.STRICT, queue)
			.jobs(body)
			.shutdownTimeout(SHORT)
			.start()) {
			List<String> ids = worker.enqueueAll("q", 0, 4);
			awaitZero(begun);
			worker.launcher().stop();
			assertThat(runs).hasValue(4);
			List<String> ready = this.redis.template().opsForList().range(this.redis.key("q", "ready"), 0, -1);
			assertThat(ready).containsExactly(ids.get(3), ids.get(2), ids.get(1), ids.get(0));
		}
	}

	@Test
	@DisplayName("SK-39, SK-40: jobs that ended before the shutdown are acknowledged")
	void stopWhenJobsHaveJustEndedAcknowledgesThem() {
		Runs runs = new Runs();
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(5, "q").jobs(runs).build()) {
			worker.enqueueAll("q", 0, 1000);
			worker.start();
			runs.awaitEnded(100);
			worker.launcher().stop();
			int left = this.redis.template().opsForList().size(this.redis.key("q", "ready")).intValue();
			assertThat(runs.ended()).hasSize(1000 - left);
			assertThat(this.redis.template().opsForHash().size(this.redis.key("q", "payloads"))).isEqualTo(left);
			assertThat(this.redis.contents("q")).doesNotContainKeys("working", "beats");
		}
	}

	@Test
	@DisplayName("SK-26: a shutdown ends even if Redis does not answer")
	void stopWhenRedisIsAwayEndsAllTheSame(CapturedOutput output) {
		CountDownLatch begun = new CountDownLatch(1);
		TestJobs.Body body = (number, job) -> {
			begun.countDown();
			this.never.await();
		};
		try (TcpRelay relay = TcpRelay.to(this.redis)) {
			RedisConnections connections = new RedisConnections(relay.connectionFactory(Duration.ofSeconds(10)));
			WorkerFixture worker = WorkerFixture.on(this.redis)
				.connections(connections)
				.capsule(2, "q")
				.jobs(body)
				.shutdownTimeout(SHORT)
				.start();
			String id = worker.enqueue("q", 0);
			awaitZero(begun);
			relay.swallow();
			worker.close();
			assertThat(worker.launcher().isRunning()).isFalse();
			assertThat(worker.threads()).allSatisfy((thread) -> thread.join());
			assertThat(this.redis.template().opsForHash().keys(this.redis.key("q", "working"))).containsExactly(id);
			assertThat(output).contains("Redis has not confirmed that this process has left its queues");
			connections.close();
		}
	}

	private static void awaitZero(CountDownLatch latch) {
		WorkerFixture.await().until(() -> latch.getCount() == 0);
	}

	private static final class Told implements JobListener {

		private final List<JobOutcome> outcomes = new CopyOnWriteArrayList<>();

		@Override
		public void ended(JobContext job, JobOutcome outcome, Duration ran) {
			this.outcomes.add(outcome);
		}

	}

}

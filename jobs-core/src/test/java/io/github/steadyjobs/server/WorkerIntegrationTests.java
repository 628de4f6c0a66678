package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the whole path of jobs from the client through the workers (SK-14, SK-34,
 * SK-36, SK-39, SK-45).
 */
@RedisTest
class WorkerIntegrationTests {

	private final TestRedis redis;

	private final Runs runs = new Runs();

	WorkerIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	@DisplayName("SK-36, SK-39: a job stays in Redis until it is acknowledged, and is then removed")
	void enqueueWhenWorkersAreIdleRunsEveryJobOnceAndLeavesNothing() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(5, "q").jobs(this.runs).start()) {
			worker.enqueueAll("q", 0, 500);
			worker.enqueue("q", 500);
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, 501));
			assertThat(this.redis.contents("q").get("stats")).asInstanceOf(InstanceOfAssertFactories.MAP)
				.containsEntry("done", "501")
				.doesNotContainKey("released");
		}
	}

	@Test
	@DisplayName("SK-17, SK-68: one worker on one queue runs its jobs one after the other")
	void startWhenOneWorkerRunsJobsInTheOrderInWhichTheyWereEnqueued() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs(this.runs).build()) {
			worker.enqueueAll("q", 0, 100);
			worker.enqueue("q", 100);
			worker.start().awaitEmpty("q");
			assertThat(this.runs.ended()).isEqualTo(Runs.numbers(0, 101));
		}
	}

	@Test
	@DisplayName("JG-09: jobs are claimed only for free workers")
	void startWhenCapsuleHasMoreWorkersThanOneClaimGivesJobsUsesAllOfThemAgainAndAgain() {
		int workers = 4000;
		Runs first = Runs.held();
		Runs second = Runs.held();
		TestJobs.Body body = (number, job) -> ((number < 3 * workers) ? first : second).run(number, job);
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(workers, "q").jobs(body).build()) {
			worker.enqueueAll("q", 0, 3 * workers);
			worker.start();
			first.awaitBegun(workers);
			awaitWorking(workers);
			first.release();
			worker.awaitEmpty("q");
			assertThat(first.ended()).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, 3 * workers));
			worker.enqueueAll("q", 3 * workers, 5 * workers);
			second.awaitBegun(workers);
			awaitWorking(workers);
			second.release();
			worker.awaitEmpty("q");
			assertThat(second.ended()).containsExactlyInAnyOrderElementsOf(Runs.numbers(3 * workers, 5 * workers));
		}
	}

	/**
	 * Wait until exactly this many jobs are claimed. Jobs that were claimed ahead are
	 * soon returned to the queue.
	 */
	private void awaitWorking(long workers) {
		WorkerFixture.await()
			.until(() -> this.redis.template().opsForHash().size(this.redis.key("q", "working")) == workers);
	}

	@Test
	@DisplayName("SK-14: a capsule runs exactly as many jobs at the same time as it has workers")
	void startWhenJobsTakeLongUsesAllWorkersAndNeverMore() {
		Runs held = Runs.held();
		AtomicInteger running = new AtomicInteger();
		List<Integer> seen = new CopyOnWriteArrayList<>();
		TestJobs.Body body = (number, job) -> {
			seen.add(running.incrementAndGet());
			held.run(number, job);
			running.decrementAndGet();
		};
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(4, "q").jobs(body).build()) {
			worker.enqueueAll("q", 0, 40);
			worker.start();
			held.awaitBegun(4);
			assertThat(worker.launcher().capsules())
				.containsExactly(new Capsule.Status("default", List.of("q"), 4, 4, false));
			held.release();
			worker.awaitEmpty("q");
			assertThat(seen).hasSize(40).allMatch((count) -> count <= 4).contains(4);
		}
	}

	@Test
	void enqueueWhenSomeWorkersAreBusyUsesTheFreeOnes() {
		Runs held = Runs.held();
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(3, "q").jobs(held).start()) {
			for (int number = 0; number < 3; number++) {
				worker.enqueue("q", number);
				held.awaitBegun(number + 1);
			}
			held.release();
			worker.awaitEmpty("q");
		}
	}

	@Test
	@DisplayName("SK-05, SK-13, SK-85: each capsule has its own manager and workers")
	void startWhenTwoCapsulesKeepsTheirWorkersApart() {
		Runs held = Runs.held();
		TestJobs.Body body = (number, job) -> (job.capsule().equals("slow") ? held : this.runs).run(number, job);
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule("slow", 2, Order.STRICT, new Queue("s", 1))
			.capsule("fast", 1, Order.STRICT, new Queue("f", 1))
			.jobs(body)
			.start()) {
			worker.enqueueAll("s", 0, 10);
			held.awaitBegun(2);
			worker.enqueueAll("f", 0, 10);
			worker.awaitEmpty("f");
			assertThat(this.runs.ended()).isEqualTo(Runs.numbers(0, 10));
			assertThat(held.begun()).hasSize(2);
			held.release();
			worker.awaitEmpty("s");
			assertThat(worker.threads()).extracting(Thread::getName)
				.containsExactlyInAnyOrder("jobs-slow-1", "jobs-slow-2", "jobs-fast-1");
		}
	}

	@Test
	@DisplayName("SK-45: an interceptor may stop a run")
	void runWhenInterceptorDoesNotProceedSkipsTheJobForGood() {
		Told told = new Told();
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(1, "q")
			.jobs(this.runs)
			.interceptor((job, chain) -> {
				if (job.arguments(int.class) != 1) {
					chain.proceed();
				}
			})
			.listener(told)
			.start()) {
			worker.enqueueAll("q", 0, 3);
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).containsExactly(0, 2);
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(told.outcomes).containsExactly(JobOutcome.DONE, JobOutcome.SKIPPED,
						JobOutcome.DONE));
			assertThat(told.started).isEqualTo(3);
		}
	}

	@Test
	void runWhenListenerThrowsGoesOn() {
		JobListener broken = new JobListener() {

			@Override
			public void started(JobContext job, Duration waited) {
				throw new IllegalStateException("started");
			}

			@Override
			public void ended(JobContext job, JobOutcome outcome, Duration ran) {
				throw new StackOverflowError("ended");
			}

		};
		Told told = new Told();
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(1, "q")
			.jobs(this.runs)
			.listener(broken)
			.listener(told)
			.start()) {
			worker.enqueueAll("q", 0, 2);
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).containsExactly(0, 1);
			assertThat(told.outcomes).containsExactly(JobOutcome.DONE, JobOutcome.DONE);
		}
	}

	@Test
	void runWhenJobAsksKnowsAboutItself() {
		List<String> seen = new CopyOnWriteArrayList<>();
		TestJobs.Body body = (number,
				job) -> seen.add("%s %s %s %s %d/%d %s %s %s".formatted(job.name(), job.id(), job.queue(),
						job.capsule(), job.attempt(), job.maxAttempts(), job.tags(), job.meta(),
						job.isStopping() || job.isLost()));
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs(body).start()) {
			String id = worker.client().enqueue(WorkerFixture.request("q", 7).tags("a", "b").meta("tenant", "x")).id();
			worker.awaitEmpty("q");
			assertThat(seen).containsExactly("test.job " + id + " q default 1/26 [a, b] {tenant=x} false");
		}
	}

	private static final class Told implements JobListener {

		private final AtomicInteger startedCount = new AtomicInteger();

		private volatile int started;

		private final List<JobOutcome> outcomes = new CopyOnWriteArrayList<>();

		@Override
		public void started(JobContext job, Duration waited) {
			this.started = this.startedCount.incrementAndGet();
		}

		@Override
		public void ended(JobContext job, JobOutcome outcome, Duration ran) {
			this.outcomes.add(outcome);
		}

	}

}

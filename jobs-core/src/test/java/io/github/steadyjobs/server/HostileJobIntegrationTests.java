package io.github.steadyjobs.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.Capsule.Queue;
import io.github.steadyjobs.support.HostileException;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for badly behaved jobs (SK-16, SK-18), and for cancelled jobs.
 */
@RedisTest
class HostileJobIntegrationTests {

	private final TestRedis redis;

	private final Runs runs = new Runs();

	HostileJobIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	@DisplayName("SK-18, LK-42: the pool keeps its size whatever jobs throw")
	void runWhenJobsThrowErrorsRetriesThemAndKeepsAllWorkers() {
		TestJobs.Body body = (number, job) -> {
			if (job.attempt() == 1) {
				switch (number % 6) {
					case 0 -> throw new AssertionError("error");
					case 1 -> recurse(0);
					case 2 -> throw new InterruptedException();
					case 3 -> throw new OutOfMemoryError("pretended");
					case 4 -> throw new HostileException();
					default -> throw new ExceptionInInitializerError();
				}
			}
			this.runs.run(number, job);
		};
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(3, "q").jobs(body).start()) {
			worker.enqueueAll("q", 0, 30);
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, 30));
			assertThat(worker.threads()).hasSize(3).allMatch(Thread::isAlive);
		}
	}

	@Test
	@DisplayName("SK-16, SK-39: an internal error is reported, does not end a worker, and the job runs again later")
	void runWhenItsEndCannotBeDecidedPutsTheJobOff() {
		List<Throwable> told = new CopyOnWriteArrayList<>();
		try (WorkerFixture worker = workerThatCannotDecide(new Queue("q", 1), told).start()) {
			String id = worker.enqueue("q", 0);
			worker.enqueueAll("q", 1, 4);
			this.runs.awaitEnded(4);
			WorkerFixture.await()
				.untilAsserted(
						() -> assertThat(this.redis.template().opsForZSet().score(this.redis.key("q", "retries"), id))
							.isNotNull());
			WorkerFixture.await()
				.untilAsserted(
						() -> assertThat(this.redis.contents("q")).doesNotContainKeys("working", "ready", "dead"));
			assertThat(told).singleElement().extracting(Throwable::getMessage).isEqualTo("an internal error");
		}
	}

	@Test
	void runWhenItsEndCannotBeDecidedAndItMayRunOnceBuriesTheJob() {
		List<Throwable> told = new CopyOnWriteArrayList<>();
		try (WorkerFixture worker = workerThatCannotDecide(new Queue("q", 1, true), told).start()) {
			String id = worker.enqueue("q", 0);
			worker.awaitOnlyDead("q", id);
			assertThat(this.runs.ended()).containsExactly(0);
		}
	}

	private WorkerFixture.Builder workerThatCannotDecide(Queue queue, List<Throwable> told) {
		JsonMapper broken = new JsonMapper(JobJson.builder()) {

			@Override
			public byte[] writeValueAsBytes(Object value) {
				if (told.isEmpty()) {
					throw new IllegalStateException("an internal error");
				}
				return super.writeValueAsBytes(value);
			}

		};
		return WorkerFixture.on(this.redis)
			.capsule("default", 1, Order.STRICT, queue)
			.json(broken)
			.onFailure((job, failure) -> told.add(failure))
			.jobs((number, job) -> {
				this.runs.run(number, job);
				if (number == 0) {
					throw new IllegalArgumentException("the failure of the job, which cannot be written down");
				}
			});
	}

	@Test
	void runWhenJobInterruptsItsThreadDoesNotDisturbTheNextOne() {
		List<Boolean> interrupted = new CopyOnWriteArrayList<>();
		TestJobs.Body body = (number, job) -> {
			interrupted.add(Thread.currentThread().isInterrupted());
			Thread.currentThread().interrupt();
			if (number % 2 == 1 && job.attempt() == 1) {
				throw new IllegalStateException();
			}
		};
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs(body).start()) {
			worker.enqueueAll("q", 0, 10);
			worker.awaitEmpty("q");
			assertThat(interrupted).hasSize(15).containsOnly(false);
		}
	}

	@Test
	void runWhenJobHoldsItsThreadForLongKeepsTheOthersWorking() {
		Runs held = Runs.held();
		TestJobs.Body body = (number, job) -> ((number == 0) ? held : this.runs).run(number, job);
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(2, "q").jobs(body).start()) {
			worker.enqueueAll("q", 0, 50);
			this.runs.awaitEnded(49);
			held.release();
			worker.awaitEmpty("q");
		}
	}

	@Test
	void cancelWhenJobIsReadyNeverRunsIt() {
		Runs held = Runs.held();
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs(held).start()) {
			List<String> ids = worker.enqueueAll("q", 0, 5);
			held.awaitBegun(1);
			assertThat(worker.client().cancel(ids.get(2))).isTrue();
			assertThat(worker.client().cancel(ids.get(4))).isTrue();
			held.release();
			worker.awaitEmpty("q");
			assertThat(held.ended()).containsExactly(0, 1, 3);
		}
	}

	@Test
	void cancelWhenJobRunsEndsItWithThatRun() {
		Runs held = Runs.held();
		List<JobOutcome> outcomes = new CopyOnWriteArrayList<>();
		TestJobs.Body body = (number, job) -> {
			held.run(number, job);
			if (number == 0) {
				throw new IllegalStateException("would be retried");
			}
		};
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(3, "q")
			.jobs(body)
			.listener(new io.github.steadyjobs.JobListener() {

				@Override
				public void ended(io.github.steadyjobs.JobContext job, JobOutcome outcome, java.time.Duration ran) {
					outcomes.add(outcome);
				}

			})
			.start()) {
			List<String> ids = worker.enqueueAll("q", 0, 2);
			held.awaitBegun(2);
			ids.forEach((id) -> assertThat(worker.client().cancel(id)).isTrue());
			held.release();
			worker.awaitEmpty("q");
			assertThat(held.begun()).containsExactlyInAnyOrder(0, 1);
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(outcomes).containsExactlyInAnyOrder(JobOutcome.RETRY, JobOutcome.DONE));
		}
	}

	private static int recurse(int depth) {
		return recurse(depth + 1) + 1;
	}

}

package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisServerCommands;
import org.springframework.data.redis.core.RedisCallback;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for jobs that run later (SK-50, SK-76, AMB-8).
 */
@RedisTest
class ScheduledJobIntegrationTests {

	private final TestRedis redis;

	private final Runs runs = new Runs();

	ScheduledJobIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	@DisplayName("SK-76: a job runs when it is due, and not earlier")
	void enqueueWhenDueLaterRunsThenAndNotBefore() {
		AtomicLong ranAt = new AtomicLong();
		TestJobs.Body body = (number, job) -> ranAt.set(redisTime());
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs(body).start()) {
			String id = worker.client().enqueue(later(0, 300)).id();
			double due = this.redis.template().opsForZSet().score(this.redis.key("q", "scheduled"), id);
			worker.awaitEmpty("q");
			assertThat(ranAt.get()).isGreaterThanOrEqualTo((long) due);
		}
	}

	@Test
	void enqueueWhenDueMuchLaterDoesNotRun() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs(this.runs).start()) {
			worker.client().enqueue(later(0, 3_600_000));
			worker.client().enqueue(later(1, 200));
			this.runs.awaitEnded(1);
			assertThat(this.runs.begun()).containsExactly(1);
			assertThat(this.redis.template().opsForZSet().size(this.redis.key("q", "scheduled"))).isOne();
		}
	}

	@Test
	void enqueueWhenDueAtSeveralTimesRunsInThatOrder() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs(this.runs).start()) {
			worker.client().enqueueAll(List.of(later(3, 600), later(1, 200), later(2, 400)));
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).containsExactly(1, 2, 3);
		}
	}

	@Test
	@DisplayName("LK-32, SK-69: an idle fetcher is notified of a job that is due earlier than all others")
	void enqueueWhenItBecomesTheEarliestWakesAnIdleFetcher() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.wokenByTokensOnly()
			.capsule(1, "q")
			.jobs(this.runs)
			.start()) {
			worker.client().enqueue(later(0, 3_600_000));
			// Wait until the fetcher has taken the token of this job and waits for the
			// next token.
			WorkerFixture.await()
				.until(() -> !this.redis.template().hasKey(this.redis.key("q", "wake")) && isBlocked());
			worker.client().enqueue(later(1, 200));
			WorkerFixture.await().atMost(Duration.ofSeconds(4)).until(() -> this.runs.ended().contains(1));
		}
	}

	@Test
	@DisplayName("GL-X4: a scheduled job that becomes due is not checked for duplicates again")
	void enqueueWhenAnEqualJobRunsAtTheTimeItIsDueRunsAllTheSame() {
		Runs held = Runs.held();
		Idempotence once = Idempotence.untilExecuted().key("the same");
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(2, "q").jobs(held).start()) {
			worker.client().enqueue(WorkerFixture.request("q", 0).idempotent(once));
			held.awaitBegun(1);
			worker.client().enqueue(later(1, 50).idempotent(once));
			// The lock of the first job is held until that job ends.
			held.awaitBegun(2);
			assertThat(worker.client().enqueue(WorkerFixture.request("q", 2).idempotent(once)))
				.isInstanceOf(EnqueueResult.Duplicate.class);
			held.release();
			worker.awaitEmpty("q");
			assertThat(held.ended()).containsExactlyInAnyOrder(0, 1);
		}
	}

	@Test
	@DisplayName("AMB-8, SK-78, SK-85: a due job is claimed exactly once")
	void enqueueWhenThreeWorkersServeTheQueueRunsEachDueJobOnce() {
		List<WorkerFixture> workers = new CopyOnWriteArrayList<>();
		List<RedisConnections> connections = new CopyOnWriteArrayList<>();
		try {
			for (int i = 0; i < 3; i++) {
				RedisConnections own = new RedisConnections(this.redis.connectionFactory());
				connections.add(own);
				workers.add(WorkerFixture.on(this.redis).connections(own).capsule(5, "q").jobs(this.runs).start());
			}
			workers.get(0)
				.client()
				.enqueueAll(IntStream.range(0, 300).mapToObj((number) -> later(number, 100 + number)).toList());
			workers.get(0).awaitEmpty("q");
			assertThat(this.runs.ended()).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, 300));
		}
		finally {
			workers.forEach(WorkerFixture::close);
			connections.forEach(RedisConnections::close);
		}
	}

	@Test
	void startWhenManyJobsAreOverdueRunsThemAll() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(5, "q").jobs(this.runs).build()) {
			worker.client().enqueueAll(IntStream.range(0, 1000).mapToObj((number) -> later(number, 1)).toList());
			worker.start().awaitEmpty("q");
			assertThat(this.runs.ended()).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, 1000));
		}
	}

	private static JobRequest later(int number, long millis) {
		return WorkerFixture.request("q", number).after(Duration.ofMillis(millis));
	}

	private boolean isBlocked() {
		return this.redis.template()
			.execute((RedisCallback<Boolean>) (connection) -> connection.serverCommands()
				.getClientList()
				.stream()
				.anyMatch((client) -> "blpop".equals(client.get("cmd"))));
	}

	private long redisTime() {
		RedisCallback<Long> time = (connection) -> {
			RedisServerCommands server = connection.serverCommands();
			return server.time();
		};
		return this.redis.template().execute(time);
	}

}

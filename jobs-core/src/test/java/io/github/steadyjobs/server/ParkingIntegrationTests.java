package io.github.steadyjobs.server;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for jobs that a process does not know.
 */
@RedisTest
class ParkingIntegrationTests {

	private final TestRedis redis;

	private final Runs runs = new Runs();

	ParkingIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@AfterEach
	void clear() {
		this.redis.clear();
	}

	@Test
	void runWhenNameIsUnknownParksTheJobUntilAProcessKnowsIt() {
		try (WorkerFixture old = WorkerFixture.on(this.redis).capsule(1, "q").jobs(this.runs).start()) {
			String first = old.client().enqueue(JobRequest.named("new.job", "a").queue("q")).id();
			String second = old.client().enqueue(JobRequest.named("newer.job", "b").queue("q")).id();
			old.enqueue("q", 1);
			this.runs.awaitEnded(1);
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(parked())
					.isEqualTo(Map.of(first, "unknown:new.job", second, "unknown:newer.job")));
			assertThat(old.client().find(first).orElseThrow().retryCount()).isEqualTo(-1);
			NewJobs jobs = new NewJobs();
			old.launcher().stop();
			try (WorkerFixture young = WorkerFixture.on(this.redis).capsule(1, "q").bean(jobs).start()) {
				young.awaitEmpty("q");
				assertThat(jobs.seen).containsExactly("a", "b");
			}
		}
	}

	@Test
	void runWhenProcessesKnowDifferentJobsBringsEachJobToTheRightOne() {
		NewJobs jobs = new NewJobs();
		try (WorkerFixture one = WorkerFixture.on(this.redis).capsule(1, "q").jobs(this.runs).start();
				WorkerFixture other = WorkerFixture.on(this.redis).capsule(1, "q").bean(jobs).start()) {
			for (int number = 0; number < 5; number++) {
				one.enqueue("q", number);
				other.client().enqueue(JobRequest.named("new.job", "x" + number).queue("q"));
			}
			one.awaitEmpty("q");
			assertThat(this.runs.ended()).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, 5));
			assertThat(jobs.seen).containsExactlyInAnyOrder("x0", "x1", "x2", "x3", "x4");
		}
	}

	private Map<Object, Object> parked() {
		return this.redis.template().opsForHash().entries(this.redis.key("q", "parked"));
	}

	static class NewJobs {

		private final List<String> seen = new CopyOnWriteArrayList<>();

		@Job(name = "new.job", aliases = "newer.job")
		void run(String text) {
			this.seen.add(text);
		}

	}

}

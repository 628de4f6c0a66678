package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what happens to jobs that were claimed ahead of free workers. The first jobs
 * take no time, so that some are claimed ahead; then a job blocks each worker.
 */
@RedisTest
class ClaimAheadIntegrationTests {

	private static final int JOBS = 2000;

	private static final int BLOCKED_FROM = 600;

	private static final int WORKERS = 4;

	private final TestRedis redis;

	private final CountDownLatch blocked = new CountDownLatch(WORKERS);

	private final CountDownLatch release = new CountDownLatch(1);

	private final Runs runs = new Runs();

	ClaimAheadIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@AfterEach
	void release() {
		this.release.countDown();
	}

	@Test
	@DisplayName("JG-09: what was claimed ahead and cannot begin soon is for other processes")
	void whenWorkersAreBusyForLongGivesBackWhatWasClaimedAheadInItsOrder() throws Exception {
		try (WorkerFixture worker = worker()) {
			List<String> ids = worker.enqueueAll("q", 0, JOBS);
			worker.start();
			assertThat(this.blocked.await(30, TimeUnit.SECONDS)).isTrue();
			WorkerFixture.await().untilAsserted(() -> assertThat(working()).hasSize(WORKERS));
			List<String> left = ids.subList(BLOCKED_FROM + WORKERS, JOBS);
			assertThat(ready()).containsExactlyElementsOf(left);
			this.release.countDown();
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).hasSize(JOBS).doesNotHaveDuplicates();
		}
	}

	@Test
	void whenStoppedGivesBackWhatWasClaimedAheadInItsOrder() throws Exception {
		try (WorkerFixture worker = worker()) {
			List<String> ids = worker.enqueueAll("q", 0, JOBS);
			worker.start();
			assertThat(this.blocked.await(30, TimeUnit.SECONDS)).isTrue();
			worker.launcher().quiet();
			this.release.countDown();
			worker.launcher().stop();
			assertThat(working()).isEmpty();
			assertThat(ready()).containsExactlyElementsOf(ids.subList(BLOCKED_FROM + WORKERS, JOBS));
			assertThat(this.runs.ended()).hasSize(BLOCKED_FROM + WORKERS).doesNotHaveDuplicates();
		}
	}

	@Test
	void whenSomeJobsWereHeldByADeadProcessRunsAllOnce() {
		this.release.countDown();
		try (WorkerFixture worker = worker()) {
			List<String> ids = worker.enqueueAll("q", 0, JOBS);
			for (int i = 100; i < JOBS; i += 300) {
				this.redis.template()
					.opsForHash()
					.put(this.redis.key("q", "crashes"), ids.get(i), "1 1700000000000 gone:1:0.1");
			}
			worker.start();
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).hasSize(JOBS).doesNotHaveDuplicates();
		}
	}

	private WorkerFixture worker() {
		return WorkerFixture.on(this.redis).capsule(WORKERS, "q").jobs((number, job) -> {
			if (number >= BLOCKED_FROM && number < BLOCKED_FROM + WORKERS) {
				this.blocked.countDown();
				this.release.await();
			}
			this.runs.run(number, job);
		}).build();
	}

	private Set<Object> working() {
		return this.redis.template().opsForHash().keys(this.redis.key("q", "working"));
	}

	/**
	 * The ids in the order in which they are given out.
	 */
	private List<String> ready() {
		List<String> ready = new ArrayList<>(
				this.redis.template().opsForList().range(this.redis.key("q", "ready"), 0, -1));
		Collections.reverse(ready);
		return ready;
	}

}

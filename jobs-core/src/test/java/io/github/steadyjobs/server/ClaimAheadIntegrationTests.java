package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for jobs that were claimed ahead of free workers. The first jobs take no time, so
 * that some jobs are claimed ahead. Then each worker is blocked by a job.
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
	@DisplayName("JG-09: jobs that were claimed ahead and cannot begin soon are left to other processes")
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
			WorkerFixture.await().untilAsserted(() -> assertThat(working()).hasSize(WORKERS));
			this.release.countDown();
			worker.launcher().stop();
			assertThat(working()).isEmpty();
			assertThat(ready()).containsExactlyElementsOf(ids.subList(BLOCKED_FROM + WORKERS, JOBS));
			assertThat(this.runs.ended()).hasSize(BLOCKED_FROM + WORKERS).doesNotHaveDuplicates();
		}
	}

	@Test
	void whenProcessIsTerminatedGivesBackWhatWasClaimedAheadInItsOrder() {
		try (WorkerFixture producer = WorkerFixture.on(this.redis).capsule(1, "other").build();
				WorkerJvm process = WorkerJvm.start(this.redis, Duration.ofSeconds(30), WORKERS, "q")) {
			List<String> ids = producer.enqueueAll("q", 0, JOBS);
			WorkerFixture.await().until(() -> working().size() > WORKERS);
			process.terminate();
			process.awaitEnd();
			assertThat(working()).isEmpty();
			List<Integer> ran = process.ended();
			assertThat(ran).hasSizeLessThan(JOBS).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, ran.size()));
			assertThat(ready()).containsExactlyElementsOf(ids.subList(ran.size(), JOBS));
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

	@Test
	void whenQueueIsPausedGivesBackWhatWasClaimedAheadInItsOrder() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(WORKERS, "q").jobs((number, job) -> {
			if (number == BLOCKED_FROM) {
				this.redis.template().opsForHash().put(this.redis.key("q", "meta"), "paused", "1");
			}
			this.runs.run(number, job);
		}).build()) {
			List<String> ids = worker.enqueueAll("q", 0, JOBS);
			worker.start();
			this.runs.awaitBegun(BLOCKED_FROM);
			WorkerFixture.await().untilAsserted(() -> assertThat(working()).isEmpty());
			int ran = this.runs.ended().size();
			assertThat(ready()).containsExactlyElementsOf(ids.subList(ran, JOBS));
			assertThat(this.runs.ended()).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, ran));
		}
	}

	@Test
	void whenJobsBlockForEverOthersRunWhatWasClaimedAheadOfThem() throws Exception {
		try (WorkerFixture stuck = worker();
				WorkerFixture other = WorkerFixture.on(this.redis).capsule(WORKERS, "q").jobs(this.runs).build()) {
			stuck.enqueueAll("q", 0, JOBS);
			stuck.start();
			assertThat(this.blocked.await(30, TimeUnit.SECONDS)).isTrue();
			other.start();
			this.runs.awaitEnded(JOBS - WORKERS);
			assertThat(this.runs.ended()).doesNotHaveDuplicates();
			this.release.countDown();
			this.runs.awaitEnded(JOBS);
		}
	}

	@Test
	void whenFencedLosesNothingAndRepeatsOnlyWhatWasGivenToOthers() throws Exception {
		LivenessStore liveness = new LivenessStore(this.redis.connections(), this.redis.prefix(),
				new DeadLimits(10, Duration.ofDays(1)));
		AtomicBoolean fenced = new AtomicBoolean();
		AtomicInteger recovered = new AtomicInteger();
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(WORKERS, "q").jobs((number, job) -> {
			if (number == BLOCKED_FROM && !fenced.getAndSet(true)) {
				// Try again if a heartbeat in between has shown that the process is
				// alive.
				while (recovered.get() == 0) {
					recovered.set(recoverAsIfDead(liveness));
				}
			}
			this.runs.run(number, job);
		}).build()) {
			worker.enqueueAll("q", 0, JOBS);
			worker.start().awaitEmpty("q");
			assertThat(recovered).hasPositiveValue();
			List<Integer> again = new ArrayList<>(this.runs.begun());
			Runs.numbers(0, JOBS).forEach(again::remove);
			// Only jobs that were running or not yet acknowledged when the process was
			// declared dead run again.
			assertThat(again).hasSizeLessThanOrEqualTo(recovered.get());
			assertThat(this.runs.begun()).containsAll(Runs.numbers(0, JOBS));
		}
	}

	@Test
	void whenRedisAnswersLateClaimsNoMoreThanAllowedAndLosesNothing() {
		this.release.countDown();
		AtomicLong most = new AtomicLong();
		try (TcpRelay relay = TcpRelay.to(this.redis);
				WorkerFixture worker = WorkerFixture.on(this.redis)
					.connections(relay.connections(Duration.ofSeconds(5)))
					.capsule(WORKERS, "q")
					.jobs((number, job) -> {
						if (number % 20 == 0) {
							most.accumulateAndGet(working().size(), Math::max);
						}
						this.runs.run(number, job);
					})
					.build()) {
			worker.enqueueAll("q", 0, JOBS);
			relay.delay(Duration.ofMillis(5));
			worker.start().awaitEmpty("q");
			assertThat(this.runs.ended()).hasSize(JOBS).doesNotHaveDuplicates();
			// At most 204 jobs are running or claimed ahead, and at most twice as many
			// are waiting to be settled.
			assertThat(most.get()).isGreaterThan(WORKERS).isLessThanOrEqualTo(3 * (200 + WORKERS));
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

	/**
	 * Act as another process that declares the worker's process dead. The running jobs of
	 * the worker are interrupted.
	 * @return the number of jobs that were returned to the queue
	 */
	private int recoverAsIfDead(LivenessStore liveness) {
		int moved = 0;
		for (var beat : this.redis.template().opsForHash().entries(this.redis.key("q", "beats")).entrySet()) {
			String process = beat.getKey().toString();
			long counter = Long.parseLong(beat.getValue().toString());
			// The call is made on another thread, which is not interrupted.
			moved += CompletableFuture.supplyAsync(() -> liveness.recover("q", process, counter, 100).moved())
				.join()
				.intValue();
		}
		return moved;
	}

	private Set<Object> working() {
		return this.redis.template().opsForHash().keys(this.redis.key("q", "working"));
	}

	/**
	 * Return the ids of the ready jobs in the order in which they will be claimed.
	 */
	private List<String> ready() {
		List<String> ready = new ArrayList<>(
				this.redis.template().opsForList().range(this.redis.key("q", "ready"), 0, -1));
		Collections.reverse(ready);
		return ready;
	}

}

package io.github.steadyjobs.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.TcpRelay;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.steadyjobs.support.Reasons.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for workers whose Redis has problems while jobs are running.
 */
@ExtendWith(OutputCaptureExtension.class)
class RedisTroubleIntegrationTests {

	private static final Duration DEATH_AFTER = Duration.ofSeconds(1);

	private final OwnRedis redis = OwnRedis.startDurable();

	private final List<WorkerFixture> workers = new ArrayList<>();

	private final ScheduledExecutorService trouble = Executors.newSingleThreadScheduledExecutor();

	private final Counts counts = new Counts();

	@AfterEach
	void close() {
		this.trouble.shutdownNow();
		this.workers.forEach(WorkerFixture::close);
		this.redis.close();
	}

	private WorkerFixture.Builder builder() {
		return WorkerFixture.on(this.redis.redis()).deathAfter(DEATH_AFTER).capsule(5, "q").jobs(this.counts);
	}

	private WorkerFixture start(WorkerFixture.Builder builder) {
		WorkerFixture worker = builder.build();
		this.workers.add(worker);
		return worker.start();
	}

	private <T extends WorkerEvent> List<T> events(Class<T> kind) {
		return this.workers.stream().flatMap((worker) -> worker.events(kind).stream()).toList();
	}

	private void threeWorkers() {
		for (int i = 0; i < 3; i++) {
			WorkerFixture worker = start(builder());
			WorkerFixture.await().until(() -> !worker.events(WorkerEvent.Beat.class).isEmpty());
		}
		WorkerFixture worker = this.workers.get(0);
		worker.enqueueAll("q", 0, 100);
		worker.awaitEmpty("q");
	}

	private void assertNobodyWasTakenForDead() {
		WorkerFixture worker = this.workers.get(0);
		int beats = worker.events(WorkerEvent.Beat.class).size();
		// The number of heartbeats after which a process would be declared dead, and a
		// margin.
		int enough = (int) (DEATH_AFTER.toMillis() / 50) + 10;
		WorkerFixture.await().until(() -> worker.events(WorkerEvent.Beat.class).size() > beats + enough);
		worker.enqueueAll("q", 100, 200);
		worker.awaitEmpty("q");
		assertThat(events(WorkerEvent.Recovered.class)).isEmpty();
		assertThat(events(WorkerEvent.Fenced.class)).isEmpty();
		assertThat(this.counts.runs()).isEqualTo(once(0, 200));
	}

	@Test
	@DisplayName("F28: a stall of Redis does not make any process count as dead")
	void freezeWhenThreeProcessesLiveTakesNobodyForDead() {
		threeWorkers();
		this.redis.freeze();
		pass(DEATH_AFTER.multipliedBy(3));
		this.redis.thaw();
		assertNobodyWasTakenForDead();
	}

	@Test
	@DisplayName("F29: a planned failover does not make any process count as dead")
	void pauseWritesWhenThreeProcessesLiveTakesNobodyForDead() {
		threeWorkers();
		this.redis.execute("CLIENT", "PAUSE", Long.toString(DEATH_AFTER.multipliedBy(3).toMillis()), "WRITE");
		assertNobodyWasTakenForDead();
	}

	@Test
	@DisplayName("F30: a kill and restart of a Redis with full persistence loses nothing")
	void killWhenEverythingIsWrittenDownLosesNothing() {
		WorkerFixture worker = start(builder());
		Enqueued enqueued = enqueueWhile(worker, () -> {
			this.redis.kill();
			pass(Duration.ofMillis(300));
			this.redis.restart();
		});
		worker.awaitEmpty("q");
		enqueued.assertHonest(this.counts.runs());
		assertThat(events(WorkerEvent.DataLost.class)).isEmpty();
		assertThat(events(WorkerEvent.Fenced.class)).isEmpty();
	}

	@Test
	@DisplayName("F32: a Redis that comes back empty is reported, and workers continue")
	void restartWhenDataAreGoneTellsAndGoesOn(CapturedOutput output) {
		try (OwnRedis forgetful = OwnRedis.start()) {
			WorkerFixture worker = WorkerFixture.on(forgetful.redis()).capsule(2, "q").jobs(this.counts).start();
			this.workers.add(worker);
			worker.enqueueAll("q", 0, 10);
			worker.awaitEmpty("q");
			forgetful.kill();
			forgetful.restart();
			WorkerFixture.await()
				.ignoreExceptionsInstanceOf(JobStoreException.class)
				.until(() -> worker.enqueue("q", 10) != null);
			worker.awaitEmpty("q");
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(worker.events(WorkerEvent.DataLost.class))
					.containsExactly(new WorkerEvent.DataLost("q", null)));
			assertThat(worker.launcher().dataLosses()).isEqualTo(Map.of("q", "everything"));
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(output).containsOnlyOnce("Redis has lost data: everything of queue q")
					.contains("Check its persistence, and which server failed over to which"));
			worker.close();
		}
	}

	@Test
	void dropKeysWhenPolicyEvictsNamesIt(CapturedOutput output) {
		try (OwnRedis cache = OwnRedis.start("--maxmemory-policy", "allkeys-lru")) {
			WorkerFixture worker = WorkerFixture.on(cache.redis()).capsule(2, "q").jobs(this.counts).start();
			this.workers.add(worker);
			worker.enqueueAll("q", 0, 10);
			worker.awaitEmpty("q");
			cache.redis().clear();
			WorkerFixture.await().until(() -> !worker.events(WorkerEvent.DataLost.class).isEmpty());
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(output)
					.contains("It has 'maxmemory-policy allkeys-lru' and drops keys when its memory is full"));
			worker.close();
		}
	}

	@Test
	@DisplayName("F33: a Redis that comes back with older data is reported, with the number of lost calls")
	void restartWhenDataAreOlderTellsHowManyChangesAreMissing(@TempDir Path saved) {
		WorkerFixture worker = start(builder());
		worker.enqueueAll("q", 0, 10);
		worker.awaitEmpty("q");
		this.redis.stopAndSave(saved);
		this.redis.restart();
		WorkerFixture.await()
			.ignoreExceptionsInstanceOf(JobStoreException.class)
			.until(() -> worker.enqueue("q", 10) != null);
		worker.enqueueAll("q", 11, 20);
		worker.awaitEmpty("q");
		this.redis.restartWith(saved);
		WorkerFixture.await().untilAsserted(() -> assertThat(worker.events(WorkerEvent.DataLost.class)).hasSize(1));
		// One lost change for each answered call that changed something: two pushes and
		// up to ten settlements.
		assertThat(worker.events(WorkerEvent.DataLost.class).get(0).lost()).isBetween(2L, 20L);
		assertThat(worker.launcher().dataLosses().get("q")).matches("its last \\d+ changes");
		WorkerFixture.await()
			.ignoreExceptionsInstanceOf(JobStoreException.class)
			.until(() -> worker.enqueue("q", 20) != null);
		worker.awaitEmpty("q");
	}

	@Test
	@DisplayName("F38: a primary that becomes a replica and then a primary again causes no loss and no restart")
	void demoteWhenJobsRunGoesOnAfterwards(CapturedOutput output) {
		WorkerFixture worker = start(builder());
		Enqueued enqueued = enqueueWhile(worker, () -> {
			this.redis.demote();
			pass(Duration.ofMillis(700));
			this.redis.promote();
		});
		worker.awaitEmpty("q");
		// All jobs were accepted, because the client tries refused pushes again.
		assertThat(enqueued.refused).isEmpty();
		assertThat(enqueued.doubtful).isEmpty();
		assertThat(this.counts.runs()).isEqualTo(once(0, enqueued.accepted.size()));
		assertThat(output.getAll().split("and perhaps others, give no jobs at present")).hasSizeLessThanOrEqualTo(2);
		assertThat(events(WorkerEvent.Fenced.class)).isEmpty();
	}

	@Test
	@DisplayName("F26, F41: neither killed connections nor flushed scripts lose a job")
	void killClientsAndFlushScriptsWhenJobsRunRunsEachOnce() {
		WorkerFixture worker = start(builder());
		this.trouble.scheduleAtFixedRate(() -> this.redis.execute("SCRIPT", "FLUSH"), 0, 50, TimeUnit.MILLISECONDS);
		this.trouble.scheduleAtFixedRate(() -> this.redis.execute("CLIENT", "KILL", "TYPE", "normal"), 0, 200,
				TimeUnit.MILLISECONDS);
		Enqueued enqueued = enqueueWhile(worker, () -> pass(Duration.ofSeconds(1)));
		worker.awaitEmpty("q");
		enqueued.assertHonest(this.counts.runs());
		assertThat(this.counts.runs().values()).containsOnly(1);
		assertThat(events(WorkerEvent.Fenced.class)).isEmpty();
	}

	@Test
	@DisplayName("F42: a Redis whose memory is full accepts no jobs, but the stored jobs continue to run")
	void fillMemoryWhenJobsRunRefusesNewOnesAlone() {
		WorkerFixture worker = builder().build();
		this.workers.add(worker);
		worker.enqueueAll("q", 0, 500);
		this.redis.fillMemory();
		worker.start();
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> worker.enqueue("q", 500))
			.has(reason(Reason.FULL));
		worker.awaitEmpty("q");
		assertThat(this.counts.runs()).isEqualTo(once(0, 500));
		this.redis.freeMemory();
		worker.enqueue("q", 500);
		worker.awaitEmpty("q");
		assertThat(events(WorkerEvent.Recovered.class)).isEmpty();
	}

	@Test
	@DisplayName("F19, F20: when one in a hundred replies is lost, no job is lost")
	void loseRepliesWhenJobsRunStrandsNoneAndRunsEachOnce() {
		int jobs = 3000;
		try (TcpRelay relay = TcpRelay.to(this.redis.redis())) {
			RedisConnections relayed = new RedisConnections(relay.connectionFactory(Duration.ofSeconds(10)));
			WorkerFixture worker = start(builder().connections(relayed));
			worker.enqueueAll("q", 0, 10);
			relay.loseReplies(100);
			worker.enqueueAll("q", 10, jobs / 2);
			for (int number = jobs / 2; number < jobs; number++) {
				enqueueOnce(worker, number);
			}
			worker.awaitEmpty("q");
			assertThat(relay.lostReplies()).isPositive();
			relay.pass();
			assertThat(this.counts.runs()).isEqualTo(once(0, jobs));
			worker.close();
			relayed.close();
		}
	}

	private static void enqueueOnce(WorkerFixture worker, int number) {
		try {
			worker.enqueue("q", number);
		}
		catch (JobStoreUnavailableException ex) {
			// Nothing was sent, because the lost reply belonged to a connection that was
			// being opened.
			WorkerFixture.await()
				.ignoreExceptionsInstanceOf(JobStoreUnavailableException.class)
				.until(() -> worker.enqueue("q", number) != null);
		}
	}

	@Test
	@DisplayName("F23: half-open connections are detected, and do not make any process count as dead")
	void swallowWhenClientWaitsForEverGoesOnOnOtherConnections() {
		try (TcpRelay relay = TcpRelay.to(this.redis.redis())) {
			RedisConnections relayed = new RedisConnections(
					relay.connectionFactoryWithoutTimeouts(Duration.ofSeconds(60)));
			Duration deathAfter = Duration.ofSeconds(8);
			WorkerFixture observer = start(builder().deathAfter(deathAfter));
			WorkerFixture worker = start(WorkerFixture.on(this.redis.redis())
				.connections(relayed)
				.deathAfter(deathAfter)
				.capsule(1, "only")
				.jobs(this.counts));
			observer.enqueue("only", 0);
			observer.awaitEmpty("only");
			relay.swallow();
			relay.pass();
			observer.enqueue("only", 1);
			observer.awaitEmpty("only");
			int beats = worker.events(WorkerEvent.Beat.class).size();
			WorkerFixture.await().until(() -> worker.events(WorkerEvent.Beat.class).size() > beats + 3);
			assertThat(events(WorkerEvent.Fenced.class)).isEmpty();
			assertThat(events(WorkerEvent.Stalled.class)).isEmpty();
			worker.close();
			relayed.close();
		}
	}

	@Test
	@DisplayName("F44: a foreign script that runs for a long time is reported once, and does not make any process count as dead")
	void runForeignScriptWhenThreeProcessesLiveTakesNobodyForDead(CapturedOutput output) {
		threeWorkers();
		this.redis.configure("lua-time-limit", "1");
		CompletableFuture<Void> script = this.redis.runEndlessScript();
		pass(DEATH_AFTER.multipliedBy(2));
		this.redis.killScript();
		script.join();
		assertNobodyWasTakenForDead();
		assertThat(output.getAll().split("and perhaps others, give no jobs at present")).hasSizeLessThanOrEqualTo(4);
	}

	/**
	 * Enqueue jobs one by one while a fault occurs, and 100 more jobs afterwards.
	 */
	private Enqueued enqueueWhile(WorkerFixture worker, Runnable happening) {
		CompletableFuture<Void> happened = CompletableFuture.runAsync(happening,
				CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS));
		Enqueued enqueued = new Enqueued(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
		int number = 0;
		for (int afterwards = 0; afterwards < 100; afterwards += happened.isDone() ? 1 : 0) {
			try {
				worker.enqueue("q", number);
				enqueued.accepted.add(number);
			}
			catch (JobStoreUnavailableException ex) {
				enqueued.refused.add(number);
			}
			catch (JobStoreTimeoutException ex) {
				enqueued.doubtful.add(number);
			}
			number++;
		}
		happened.join();
		return enqueued;
	}

	/**
	 * The numbers of the jobs, grouped by the answer to their push. Each answer must be
	 * correct.
	 */
	private record Enqueued(Set<Integer> accepted, Set<Integer> refused, Set<Integer> doubtful) {

		void assertHonest(Map<Integer, Integer> runs) {
			assertThat(runs.keySet()).containsAll(this.accepted);
			assertThat(this.refused).noneMatch(runs::containsKey);
		}

	}

	private static void pass(Duration time) {
		Awaitility.await().pollDelay(time).timeout(time.plusSeconds(10)).until(() -> true);
	}

	private static Map<Integer, Integer> once(int from, int to) {
		Map<Integer, Integer> once = new TreeMap<>();
		Runs.numbers(from, to).forEach((number) -> once.put(number, 1));
		return once;
	}

	/**
	 * Counts the runs of each job.
	 */
	private static final class Counts implements TestJobs.Body {

		private final Map<Integer, Integer> runs = new ConcurrentHashMap<>();

		@Override
		public void run(int number, JobContext job) {
			this.runs.merge(number, 1, Integer::sum);
		}

		Map<Integer, Integer> runs() {
			return new TreeMap<>(this.runs);
		}

	}

}

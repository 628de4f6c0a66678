package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnection;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the lifecycle of {@link Launcher} (SK-15, SK-19 to SK-22, SK-26).
 */
@RedisTest
@Timeout(60)
class LifecycleIntegrationTests {

	private final TestRedis redis;

	LifecycleIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	void stopRightAfterStartLeavesNeitherJobsNorNamesBehind() {
		Runs runs = new Runs();
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(2, "q").jobs(runs).build()) {
			worker.enqueueAll("q", 0, 500);
			for (int round = 0; round < 30; round++) {
				worker.start();
				worker.launcher().stop();
				assertThat(this.redis.contents("q")).as("round %s", round)
					.doesNotContainKeys("beats", "working", "claims", "crashes");
			}
		}
	}

	@Test
	void stopWhenNothingIsServedStops() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).jobs(new Runs()).start()) {
			worker.launcher().stop();
			assertThat(worker.launcher().isRunning()).isFalse();
		}
	}

	@Test
	@DisplayName("SK-19: a quiet process takes no new jobs and lets running jobs finish, and repeating the request changes nothing")
	void quietWhenJobsRunLetsThemFinishAndTakesNoMore() {
		Runs held = Runs.held();
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(2, "q").jobs(held).start()) {
			worker.enqueueAll("q", 0, 5);
			held.awaitBegun(2);
			worker.launcher().quiet();
			worker.launcher().quiet();
			assertThat(worker.launcher().isRunning()).isTrue();
			held.release();
			held.awaitEnded(2);
			awaitState("quiet");
			worker.launcher().stop();
			assertThat(held.begun()).containsExactlyInAnyOrder(0, 1);
			assertThat(ready()).hasSize(3);
			assertThat(this.redis.contents("q")).doesNotContainKey("working");
		}
	}

	@Test
	void quietWhenIdleEndsTheWaitAndTakesNothing() {
		Runs runs = new Runs();
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(2, "q").jobs(runs).start()) {
			worker.enqueue("q", 0);
			worker.awaitEmpty("q");
			worker.launcher().quiet();
			WorkerFixture.await().until(() -> threads("jobs-default-fetch") == 0);
			worker.enqueue("q", 1);
			worker.launcher().stop();
			assertThat(runs.begun()).containsExactly(0);
			assertThat(ready()).hasSize(1);
		}
	}

	@Test
	void quietWhenAClaimIsUnderWayGivesItsJobsBackInOrder() {
		Runs runs = new Runs();
		try (TcpRelay relay = TcpRelay.to(this.redis)) {
			RedisConnections connections = new RedisConnections(relay.connectionFactory(Duration.ofSeconds(10)));
			try (WorkerFixture worker = WorkerFixture.on(this.redis)
				.connections(connections)
				.rules(null, (capsule, queue) -> true)
				.capsule(3, "q")
				.jobs(runs)
				.start(); WorkerFixture producer = WorkerFixture.on(this.redis).capsule(1, "o").jobs(runs).build()) {
				producer.enqueue("q", 0);
				worker.awaitEmpty("q");
				// Because of the filter, no claim waits in Redis. So the claim is sent
				// after the token, and asks for three jobs.
				relay.delay(Duration.ofMillis(500));
				List<String> ids = producer.enqueueAll("q", 1, 5);
				WorkerFixture.await().until(() -> working().size() == 3);
				worker.launcher().quiet();
				relay.delay(Duration.ZERO);
				WorkerFixture.await().until(() -> working().isEmpty());
				assertThat(ready()).containsExactly(ids.get(3), ids.get(2), ids.get(1), ids.get(0));
				assertThat(runs.begun()).containsExactly(0);
			}
			finally {
				connections.close();
			}
		}
	}

	@Test
	@DisplayName("SK-15: a process publishes its record while it runs")
	void startWhenCalledRegistersTheProcessAndStopRemovesIt() {
		Runs held = Runs.held();
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(2, "q")
			.capsule("b", 3, Capsule.Order.STRICT, new Capsule.Queue("p", 1))
			.jobs(held)
			.start()) {
			worker.enqueue("q", 0);
			held.awaitBegun(1);
			WorkerFixture.await().until(() -> "1".equals(process().get("busy")));
			assertThat(process()).containsEntry("pid", Long.toString(ProcessHandle.current().pid()))
				.containsEntry("concurrency", "5")
				.containsEntry("state", "running")
				.containsEntry("capsules", "default 1/2 q\nb 0/3 p")
				.containsKeys("hostname", "started_at", "beat_at", "version", "library", "running");
			assertThat(this.redis.template().getExpire(processKey(), TimeUnit.MILLISECONDS)).isPositive();
			WorkerFixture.await().until(() -> beats("q").size() == 1 && beats("p").size() == 1);
			Object first = beats("q").values().iterator().next();
			WorkerFixture.await().until(() -> !beats("q").containsValue(first));
			held.release();
			worker.awaitEmpty("q");
			worker.launcher().stop();
			assertThat(this.redis.contents()).doesNotContainKey(this.redis.prefix() + ":processes");
			assertThat(this.redis.contents().keySet()).noneMatch((key) -> key.contains(":process:"));
			assertThat(this.redis.contents("q")).doesNotContainKeys("beats", "claims");
			assertThat(this.redis.contents("p")).doesNotContainKeys("beats", "claims");
		}
	}

	@Test
	void startWhenStoppedBeforeWorksAgainAndLeaksNothing() {
		Runs runs = new Runs();
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(2, "q").jobs(runs).build()) {
			worker.enqueue("q", 0);
			worker.start().awaitEmpty("q");
			worker.launcher().stop();
			worker.launcher().stop();
			int connections = connections();
			for (int round = 1; round < 4; round++) {
				assertThat(worker.launcher().isRunning()).isFalse();
				assertThat(worker.launcher().capsules()).isEmpty();
				worker.enqueue("q", round);
				worker.start().start().awaitEmpty("q");
				worker.launcher().stop();
			}
			assertThat(runs.ended()).containsExactly(0, 1, 2, 3);
			WorkerFixture.await().untilAsserted(() -> {
				assertThat(connections()).isEqualTo(connections);
				assertThat(threads("jobs-default-")).isZero();
				assertThat(threads("jobs-heartbeat")).isZero();
				assertThat(threads("jobs-settle")).isZero();
			});
		}
	}

	@Test
	void stopWhenGivenACallbackReturnsAtOnceAndCallsBackFromAnotherThread() {
		Runs held = Runs.held();
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs(held).start()) {
			worker.enqueue("q", 0);
			held.awaitBegun(1);
			CompletableFuture<Thread> stopped = new CompletableFuture<>();
			List<Integer> endedBefore = new ArrayList<>();
			worker.launcher().stop(() -> {
				endedBefore.addAll(held.ended());
				stopped.complete(Thread.currentThread());
			});
			// If stop() waited for the job, this line would never be reached, because
			// only this line lets the job end.
			held.release();
			assertThat(stopped.join()).isNotSameAs(Thread.currentThread());
			assertThat(endedBefore).containsExactly(0);
			assertThat(worker.launcher().isRunning()).isFalse();
		}
	}

	@Test
	@DisplayName("SK-22: a shutdown ends when the last job ends, even if more time is left")
	void stopWhenTheLastJobEndsWaitsNoLonger() {
		Runs held = Runs.held();
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(2, "q")
			.capsule("b", 1, Capsule.Order.STRICT, new Capsule.Queue("p", 1))
			.shutdownTimeout(Duration.ofDays(1))
			.jobs(held)
			.start()) {
			worker.enqueue("q", 0);
			worker.enqueue("p", 1);
			held.awaitBegun(2);
			CompletableFuture<Void> stopped = CompletableFuture.runAsync(worker.launcher()::stop);
			WorkerFixture.await().until(() -> !worker.events(WorkerEvent.Stopping.class).isEmpty());
			held.release();
			// The time limit of this class is less than the shutdown timeout.
			stopped.join();
			assertThat(held.ended()).containsExactlyInAnyOrder(0, 1);
		}
	}

	@Test
	void eventsTellOfStartQuietAndStopInOrder() {
		Runs held = Runs.held();
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(2, "q")
			.shutdownTimeout(Duration.ZERO)
			.jobs(held)
			.start()) {
			worker.enqueueAll("q", 0, 2);
			held.awaitBegun(2);
			WorkerFixture.await().until(() -> !process().isEmpty());
			String process = processName();
			worker.launcher().quiet();
			worker.launcher().quiet();
			worker.launcher().stop();
			assertThat(worker.events(WorkerEvent.class)).filteredOn((event) -> !(event instanceof WorkerEvent.Beat))
				.containsExactly(new WorkerEvent.Started(process), new WorkerEvent.Quieted(process),
						new WorkerEvent.Stopping(process), new WorkerEvent.Stopped(process, 2));
		}
	}

	@Test
	@DisplayName("SK-15: the record of a process expires twelve heartbeats after it was written")
	void processRecordLivesForTwelveBeats() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis)
			.capsule(1, "q")
			.beat(Duration.ofMillis(500))
			.jobs(new Runs())
			.start()) {
			WorkerFixture.await().until(() -> !process().isEmpty());
			// Each heartbeat renews the record. A single reading may be late, so read
			// repeatedly.
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(this.redis.template().getExpire(processKey(), TimeUnit.MILLISECONDS))
					.isBetween(11 * 500L + 1, 12 * 500L));
		}
	}

	@Test
	void getPhaseWhenAskedIsThatOfTheWebServersGracefulShutdown() {
		try (WorkerFixture worker = WorkerFixture.on(this.redis).capsule(1, "q").jobs(new Runs()).build()) {
			assertThat(worker.launcher().getPhase()).isEqualTo(Launcher.PHASE)
				.isEqualTo(SmartLifecycle.DEFAULT_PHASE - 1024);
			assertThat(worker.launcher().isAutoStartup()).isTrue();
		}
	}

	private void awaitState(String state) {
		WorkerFixture.await().until(() -> state.equals(process().get("state")));
	}

	private String processKey() {
		return this.redis.prefix() + ":process:" + processName();
	}

	private String processName() {
		return this.redis.template().opsForSet().members(this.redis.prefix() + ":processes").iterator().next();
	}

	private Map<Object, Object> process() {
		return this.redis.template().hasKey(this.redis.prefix() + ":processes")
				? this.redis.template().opsForHash().entries(processKey()) : Map.of();
	}

	private Map<Object, Object> beats(String queue) {
		return this.redis.template().opsForHash().entries(this.redis.key(queue, "beats"));
	}

	private Map<Object, Object> working() {
		return this.redis.template().opsForHash().entries(this.redis.key("q", "working"));
	}

	private List<String> ready() {
		return this.redis.template().opsForList().range(this.redis.key("q", "ready"), 0, -1);
	}

	private int connections() {
		try (RedisConnection connection = this.redis.connectionFactory().getConnection()) {
			return connection.serverCommands().getClientList().size();
		}
	}

	private static long threads(String name) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith(name))
			.count();
	}

}

package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import io.lettuce.core.KillArgs;
import io.lettuce.core.api.async.RedisServerAsyncCommands;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnection;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for workers whose Redis becomes unavailable and comes back (SK-32).
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class OutageIntegrationTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final TestRedis redis;

	@AutoClose
	private final TcpRelay relay;

	private final RedisConnections connections;

	private final Runs runs = new Runs();

	OutageIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.relay = TcpRelay.to(redis);
		this.connections = this.relay.connections(Duration.ofSeconds(5));
	}

	private WorkerFixture.Builder workers() {
		return WorkerFixture.on(this.redis).connections(this.connections);
	}

	/**
	 * Return an application that uses the same Redis through connections that are not
	 * disturbed.
	 */
	private WorkerFixture producer() {
		return WorkerFixture.on(this.redis).capsule(1, "other").jobs(this.runs).build();
	}

	@Test
	void startWhenRedisIsAwayStartsAndWorksOnceItIsThere(CapturedOutput output) {
		this.relay.refuse();
		try (WorkerFixture producer = producer();
				WorkerFixture worker = workers().capsule(2, "q").jobs(this.runs).start()) {
			assertThat(worker.launcher().isRunning()).isTrue();
			producer.enqueueAll("q", 0, 10);
			WorkerFixture.await().until(() -> output.getAll().contains("and perhaps others, give no jobs at present"));
			this.relay.pass();
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).hasSize(10);
			assertThat(output).containsOnlyOnce("and perhaps others, give no jobs at present")
				.containsOnlyOnce("Redis is back after");
		}
	}

	@Test
	void stopWhenRedisWasNeverThereSaysSoAndNoMore(CapturedOutput output) {
		this.relay.refuse();
		try (WorkerFixture worker = workers().capsule(2, "q").jobs(this.runs).start()) {
			WorkerFixture.await().until(() -> output.getAll().contains("and perhaps others, give no jobs at present"));
			worker.launcher().stop();
			assertThat(output).contains("Workers stopped. They ran no jobs, because they never reached Redis")
				.doesNotContain("has not confirmed", "have ended", "\tat ");
		}
	}

	@Test
	void stopWhenRedisIsAwaySaysWhyInOneLine(CapturedOutput output) {
		try (WorkerFixture worker = workers().shutdownTimeout(Duration.ofSeconds(1))
			.capsule(2, "q")
			.jobs(this.runs)
			.start()) {
			worker.enqueue("q", 0);
			worker.awaitEmpty("q");
			this.relay.refuse();
			WorkerFixture.await().until(() -> output.getAll().contains("and perhaps others, give no jobs at present"));
			worker.launcher().stop();
			assertThat(output)
				.containsPattern("has not confirmed that this process has left its queues; .*: (Redis|it did) .*")
				.doesNotContain("\tat ");
		}
	}

	@Test
	void startWhenRedisSaysNothingServesTheShardsThatJobsDeclare(CapturedOutput output) {
		this.relay.swallow();
		try (WorkerFixture worker = orders(2).start()) {
			assertThat(worker.launcher().capsules().get(0).queues()).containsExactly("orders");
			this.relay.pass();
			awaitBeats("orders#0", "orders#1");
			assertThat(output).doesNotContain("ShardAssignment", "of this process restart");
		}
	}

	@Test
	@DisplayName("Shards that a process did not know at its start are served once it has read them from Redis")
	void startWhenRedisSaysLaterThatThereAreMoreShardsServesThemAll(CapturedOutput output) {
		this.redis.template().opsForHash().put(this.redis.prefix() + ":shards", "orders", "1 3");
		this.redis.template().opsForHash().put(this.redis.key("orders#0", "parked"), "0123456789abcdef01234567", "x");
		this.relay.swallow();
		try (WorkerFixture worker = orders(2).start()) {
			this.relay.pass();
			awaitBeats("orders#0", "orders#1", "orders#2");
			assertThat(worker.launcher().isRunning()).isTrue();
			assertThat(output).containsOnlyOnce("Queue 'orders' has 3 shards, and 2 were assumed");
		}
	}

	private WorkerFixture.Builder orders(int shards) {
		return workers().capsule("main", 2, Capsule.Order.STRICT, Capsule.Queue.inParts("orders", 1, shards, 1))
			.jobs(this.runs);
	}

	private void awaitBeats(String... shards) {
		WorkerFixture.await()
			.untilAsserted(() -> assertThat(shards)
				.allSatisfy((shard) -> assertThat(this.redis.contents(shard)).containsKey("beats")));
	}

	@Test
	void fetchWhenRedisIsAwayForLongGoesOnOnceItIsBack(CapturedOutput output) {
		try (WorkerFixture producer = producer();
				WorkerFixture worker = workers().capsule(2, "q")
					.capsule("b", 1, Capsule.Order.STRICT, new Capsule.Queue("p", 1))
					.jobs(this.runs)
					.start()) {
			worker.enqueue("q", 0);
			worker.awaitEmpty("q");
			this.relay.refuse();
			// The line is logged at the first failure. After the delay of six seconds,
			// claims and waits of both capsules have failed.
			Awaitility.await()
				.atMost(LONG)
				.until(() -> output.getAll().contains("and perhaps others, give no jobs at present"));
			Awaitility.await()
				.pollDelay(Duration.ofSeconds(6))
				.atMost(LONG)
				.until(() -> output.getAll().contains("and perhaps others, give no jobs at present"));
			producer.enqueueAll("q", 1, 10);
			producer.enqueueAll("p", 10, 20);
			this.relay.pass();
			worker.awaitEmpty("q", "p");
			assertThat(this.runs.ended()).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, 20));
			assertThat(output).containsOnlyOnce("and perhaps others, give no jobs at present")
				.containsOnlyOnce("Redis is back after");
		}
	}

	@Test
	void runWhenConnectionsAreCutAgainAndAgainRunsEveryJobAndLeavesNothing() {
		int jobs = 3000;
		ConcurrentHashMap<Integer, Integer> counts = new ConcurrentHashMap<>();
		AtomicInteger done = new AtomicInteger();
		TestJobs.Body body = (number, job) -> {
			counts.merge(number, 1, Integer::sum);
			if (done.incrementAndGet() % 500 == 0) {
				this.relay.cut();
			}
			if (number % 7 == 0 && job.attempt() == 1) {
				throw new IllegalStateException("fails once");
			}
		};
		try (WorkerFixture producer = producer();
				WorkerFixture worker = workers().capsule(10, "q").jobs(body).build()) {
			producer.enqueueAll("q", 0, jobs);
			worker.start().awaitEmpty("q");
			assertThat(counts.keySet()).containsExactlyInAnyOrderElementsOf(IntStream.range(0, jobs).boxed().toList());
		}
		assertThat(this.redis.contents("q")).doesNotContainKey("beats");
	}

	@Test
	void runWhenServerKillsConnectionsRunsEveryJobAndLeavesNothing() {
		try (OwnRedis own = OwnRedis.start()) {
			AtomicInteger done = new AtomicInteger();
			TestJobs.Body body = (number, job) -> {
				this.runs.run(number, job);
				if (done.incrementAndGet() % 250 == 0) {
					own.redis().template().execute(OutageIntegrationTests::killOthers);
				}
			};
			try (WorkerFixture worker = WorkerFixture.on(own.redis()).capsule(5, "q").jobs(body).build()) {
				worker.enqueueAll("q", 0, 1000);
				worker.start().awaitEmpty("q");
				assertThat(this.runs.ended()).containsAll(Runs.numbers(0, 1000));
			}
		}
	}

	@Test
	void runWhenServerStandsStillGoesOnWithIt() {
		try (OwnRedis own = OwnRedis.start();
				WorkerFixture worker = WorkerFixture.on(own.redis()).capsule(2, "q").jobs(this.runs).start()) {
			worker.enqueue("q", 0);
			worker.awaitEmpty("q");
			own.freeze();
			// This is longer than the timeout of a claim, so that the connection is
			// abandoned.
			Awaitility.await().pollDelay(Duration.ofSeconds(6)).until(() -> true);
			own.thaw();
			worker.enqueueAll("q", 1, 10);
			worker.awaitEmpty("q");
			assertThat(this.runs.ended()).containsExactlyInAnyOrderElementsOf(Runs.numbers(0, 10));
		}
	}

	@Test
	void runWhenServerWasRestartedEmptyJoinsAgainAndWorks() {
		try (OwnRedis own = OwnRedis.start();
				WorkerFixture worker = WorkerFixture.on(own.redis()).capsule(2, "q").jobs(this.runs).start()) {
			worker.enqueueAll("q", 0, 10);
			worker.awaitEmpty("q");
			own.kill();
			own.restart();
			WorkerFixture.await().ignoreExceptions().until(() -> worker.enqueue("q", 10) != null);
			this.runs.awaitEnded(11);
			worker.awaitEmpty("q");
			List<Object> members = List.copyOf(own.redis().template().opsForHash().keys(own.redis().key("q", "beats")));
			assertThat(members).singleElement().asString().endsWith(".2");
		}
	}

	private static @Nullable Void killOthers(RedisConnection connection) {
		((RedisServerAsyncCommands<?, ?>) connection.getNativeConnection())
			.clientKill(KillArgs.Builder.typeNormal().skipme());
		return null;
	}

}

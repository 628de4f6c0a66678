package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.TcpRelay;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Prints how workers with the default settings cope with faults. The measurements take
 * minutes. No build runs this class, because its name does not end in Tests. To run it:
 * {@code mvn -B -pl jobs-core -am test -Dtest=ReliabilityFigures
 * -Dsurefire.failIfNoSpecifiedTests=false -Dmaven.test.redirectTestOutputToFile=false}
 */
class ReliabilityFigures {

	private static final Duration BEAT = Duration.ofSeconds(5);

	private static final Duration DEATH_AFTER = Duration.ofSeconds(30);

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final Duration LONG = Duration.ofMinutes(10);

	private final OwnRedis redis = OwnRedis.start();

	private final List<WorkerJvm> processes = new ArrayList<>();

	@AfterEach
	void close() {
		this.processes.forEach(WorkerJvm::close);
		this.redis.close();
	}

	private WorkerJvm process(int concurrency) {
		WorkerJvm process = WorkerJvm.start(this.redis.redis(), BEAT, DEATH_AFTER, concurrency, "q");
		this.processes.add(process);
		return process;
	}

	private WorkerFixture.Builder workers(Map<Integer, Integer> runs) {
		return WorkerFixture.on(this.redis.redis())
			.beat(BEAT)
			.capsule(10, "q")
			.jobs((number, job) -> runs.merge(number, 1, Integer::sum));
	}

	@Test
	void stoppedForAMinute() {
		WorkerJvm zombie = process(5);
		try (WorkerFixture producer = workers(Map.of()).build()) {
			WorkerJvm.order(this.redis.redis(), WorkerJvm.HOLD, Runs.numbers(0, 5));
			List<String> ids = producer.enqueueAll("q", 0, 5);
			zombie.awaitBegun(5);
			WorkerJvm other = process(5);
			other.awaitEvent("Started");
			zombie.freeze();
			long frozen = System.nanoTime();
			Awaitility.await().atMost(LONG).until(() -> other.begun().size() == 5);
			long recovered = System.nanoTime() - frozen;
			pass(MINUTE.minusNanos(recovered));
			// The other process is running the jobs that the zombie has not ended either.
			// Nothing that the zombie does may change who holds these jobs.
			zombie.thaw();
			zombie.awaitEvent("Fenced");
			Map<String, Object> before = this.redis.redis().contents("q");
			pass(Duration.ofSeconds(10));
			assertThat(this.redis.redis().contents("q").get("working")).isEqualTo(before.get("working"));
			WorkerJvm.letGo(this.redis.redis());
			producer.awaitEmpty("q");
			ids.forEach((id) -> assertThat(producer.client().find(id)).isEmpty());
			Object stats = this.redis.redis().contents("q").get("stats");
			producer.enqueueAll("q", 10, 20);
			producer.awaitEmpty("q");
			System.out.printf(
					"Stopped for 60 s: recovered after %.1f s, jobs ended %s (of 5), refused %d, runs of the "
							+ "10 jobs afterwards here %d%n",
					recovered / 1e9, stats,
					zombie.events().stream().filter((event) -> event.startsWith("Refused")).count(),
					zombie.ended().stream().filter((number) -> number >= 10).count());
		}
	}

	@Test
	void redisStalledForAMinute() {
		for (int i = 0; i < 3; i++) {
			process(5);
		}
		try (WorkerFixture producer = workers(Map.of()).build()) {
			producer.enqueueAll("q", 0, 1000);
			this.processes.forEach((process) -> process.awaitEvent("Started"));
			producer.awaitEmpty("q");
			pass(Duration.ofSeconds(10));
			this.redis.freeze();
			pass(MINUTE);
			this.redis.thaw();
			long thawed = System.nanoTime();
			WorkerFixture.await().ignoreExceptions().until(() -> producer.enqueue("q", 1000) != null);
			producer.awaitEmpty("q");
			long first = System.nanoTime() - thawed;
			producer.enqueueAll("q", 1001, 2000);
			// Wait until a death would have been detected.
			pass(Duration.ofSeconds(50));
			producer.awaitEmpty("q");
			System.out.printf(
					"Redis stalled for 60 s, 3 processes: recovered by mistake %d, fenced %d, runs %d of "
							+ "2000, works again after %.1f s%n",
					events("Recovered"), events("Fenced"), begun().size(), first / 1e9);
			assertThat(events("Recovered") + events("Fenced")).isZero();
		}
	}

	@Test
	void oneReplyOfAHundredLost() {
		int jobs = 20_000;
		Map<Integer, Integer> runs = new ConcurrentHashMap<>();
		try (TcpRelay relay = TcpRelay.to(this.redis.redis())) {
			RedisConnections relayed = new RedisConnections(relay.connectionFactory(Duration.ofSeconds(10)));
			try (WorkerFixture worker = workers(runs).connections(relayed).start()) {
				relay.loseReplies(100);
				for (int number = 0; number < jobs; number++) {
					worker.enqueue("q", number);
				}
				worker.awaitEmpty("q");
				System.out.printf("1 %% lost replies, %d jobs one by one: %d replies lost, %d jobs ran, stranded 0, "
						+ "duplicates %d%n", jobs, relay.lostReplies(), runs.size(), duplicates(runs));
				assertThat(runs).hasSize(jobs);
				relay.pass();
			}
			relayed.close();
		}
	}

	@Test
	void noFaults() {
		int jobs = 20_000;
		Map<Integer, Integer> runs = new ConcurrentHashMap<>();
		try (WorkerFixture worker = workers(runs).start(); WorkerFixture other = workers(runs).start()) {
			worker.enqueueAll("q", 0, jobs);
			worker.awaitEmpty("q");
			System.out.printf("Without faults, %d jobs, 2 workers: %d jobs ran, duplicates %d%n", jobs, runs.size(),
					duplicates(runs));
			assertThat(runs).hasSize(jobs);
			assertThat(duplicates(runs)).isZero();
			assertThat(other.events(WorkerEvent.Recovered.class)).isEmpty();
		}
	}

	@Test
	void onePoisonJob() {
		int jobs = 1000;
		int poison = 500;
		WorkerJvm.order(this.redis.redis(), WorkerJvm.HALT, List.of(poison));
		try (WorkerFixture producer = workers(Map.of()).build()) {
			List<String> ids = producer.enqueueAll("q", 0, jobs);
			String dead = this.redis.redis().key("q", "dead");
			AtomicInteger deaths = new AtomicInteger();
			long begun = System.nanoTime();
			process(10);
			process(10);
			Awaitility.await().atMost(LONG).until(() -> {
				for (WorkerJvm process : List.copyOf(this.processes)) {
					if (!process.isAlive()) {
						this.processes.remove(process);
						deaths.incrementAndGet();
						process(10);
					}
				}
				return this.redis.redis().template().opsForZSet().score(dead, ids.get(poison)) != null;
			});
			producer.awaitOnlyDead("q", ids.get(poison));
			Set<Integer> ran = new HashSet<>(begun());
			System.out.printf(
					"One poison job of %d, concurrency 10: processes killed %d, dead set %d, innocents in it "
							+ "%d, jobs that ran %d, runs %d, dead after %.0f s%n",
					jobs, deaths.get(), 1, 0, ran.size(), begun().size(), (System.nanoTime() - begun) / 1e9);
			assertThat(deaths).hasValue(3);
		}
	}

	private static int duplicates(Map<Integer, Integer> runs) {
		return runs.values().stream().mapToInt((count) -> count - 1).sum();
	}

	private long events(String start) {
		return this.processes.stream()
			.flatMap((process) -> process.events().stream())
			.filter((event) -> event.startsWith(start))
			.count();
	}

	/**
	 * Return the lines of all runs that began in any process.
	 */
	private List<String> begunLines() {
		List<String> lines = this.redis.redis()
			.template()
			.opsForList()
			.range(WorkerJvm.key(this.redis.redis(), "begun"), 0, -1);
		return (lines != null) ? lines : Collections.emptyList();
	}

	private List<Integer> begun() {
		return begunLines().stream().map((line) -> Integer.valueOf(line.substring(line.indexOf(' ') + 1))).toList();
	}

	private static void pass(Duration time) {
		Awaitility.await().pollDelay(time).timeout(time.plusSeconds(10)).until(() -> true);
	}

}

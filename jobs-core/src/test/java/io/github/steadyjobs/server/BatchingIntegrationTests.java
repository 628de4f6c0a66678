package io.github.steadyjobs.server;

import java.util.Properties;
import java.util.stream.IntStream;

import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.support.OwnRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.core.RedisCallback;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that workers stay within the budget of calls in docs/architecture.md.
 */
class BatchingIntegrationTests {

	private static final int JOBS = 2000;

	@Test
	@DisplayName("JG-10: jobs that ended in the meantime are acknowledged together")
	void runWhenManyJobsAreShortClaimsAndAcknowledgesSeveralAtOnce() {
		Runs runs = new Runs();
		try (OwnRedis own = OwnRedis.start();
				WorkerFixture worker = WorkerFixture.on(own.redis()).capsule(20, "q").jobs(runs).build()) {
			worker.enqueueAll("q", 0, JOBS);
			long before = calls(own);
			worker.start().awaitEmpty("q");
			assertThat(runs.ended()).hasSize(JOBS);
			assertThat(calls(own) - before).isLessThan(JOBS * 3 / 10);
		}
	}

	@Test
	@DisplayName("LK-32, JG-05: workers wait for empty queues instead of polling them")
	void waitWhenNothingIsReadyCallsScriptsForHeartbeatsAndOneClaimPerWait() {
		try (OwnRedis own = OwnRedis.start();
				WorkerFixture worker = WorkerFixture.on(own.redis()).capsule(20, "q").jobs(new Runs()).build()) {
			worker.start();
			WorkerFixture.await().until(() -> beats(own) > 5);
			// In each round of heartbeats, the process reports its state; these calls are
			// not counted. In every twelfth round, it also reads the pauses, and which
			// jobs Redis records for it.
			long before = calls(own) - reports(own);
			long waitsBefore = calls(own, "blpop");
			long first = beats(own);
			WorkerFixture.await().until(() -> beats(own) >= first + 40);
			long sent = calls(own) - reports(own) - before;
			long waits = calls(own, "blpop") - waitsBefore + 1;
			assertThat(sent).isBetween(37L, beats(own) - first + 8 + waits);
			assertThat(reports(own)).isLessThanOrEqualTo(beats(own) + 3);
		}
	}

	@Test
	void waitWhenAQueueWithJobsIsRefusedDoesNotPollTheOthers() {
		try (OwnRedis own = OwnRedis.start();
				WorkerFixture worker = WorkerFixture.on(own.redis())
					.rules(null, (capsule, queue) -> !queue.equals("r"))
					.capsule(20, "q", "r")
					.jobs(new Runs())
					.build()) {
			worker.enqueueAll("r", 0, 5);
			worker.start();
			WorkerFixture.await().until(() -> beats(own) > 5);
			long before = calls(own) - reports(own);
			long first = beats(own);
			WorkerFixture.await().until(() -> beats(own) >= first + 40);
			// Both queues get heartbeats. Each heartbeat reports waiting jobs, after
			// which the worker may read its other queues.
			assertThat(calls(own) - reports(own) - before).isLessThan(4 * (beats(own) - first + 3));
		}
	}

	@Test
	@DisplayName("SK-30, JG-05, JG-06, JG-07: a capsule waits for all queues together, and the number of connections does not depend on queues or workers")
	void waitWhenQueuesAndWorkersAreManyTakesAsManyConnectionsAsOneOfEach() {
		try (OwnRedis own = OwnRedis.start()) {
			int few = connectionsOfIdleWorkers(own, 1, "q");
			String[] queues = IntStream.range(0, 20).mapToObj((number) -> "q" + number).toArray(String[]::new);
			assertThat(connectionsOfIdleWorkers(own, 50, queues)).isEqualTo(few);
		}
	}

	/**
	 * Count the connections of idle workers that have run one job of each queue.
	 */
	private static int connectionsOfIdleWorkers(OwnRedis own, int workers, String... queues) {
		Runs runs = new Runs();
		RedisConnections connections = new RedisConnections(own.redis().connectionFactory());
		try (WorkerFixture worker = WorkerFixture.on(own.redis())
			.connections(connections)
			.capsule(workers, queues)
			.jobs(runs)
			.start()) {
			for (String queue : queues) {
				worker.enqueue(queue, 0);
			}
			worker.awaitEmpty(queues);
			WorkerFixture.await()
				.untilAsserted(() -> assertThat(info(own, "clients").getProperty("blocked_clients")).isEqualTo("1"));
			return Integer.parseInt(info(own, "clients").getProperty("connected_clients"));
		}
		finally {
			connections.close();
		}
	}

	private static Properties info(OwnRedis own, String section) {
		RedisCallback<Properties> info = (connection) -> connection.serverCommands().info(section);
		return own.redis().template().execute(info);
	}

	private static long beats(OwnRedis own) {
		return own.redis()
			.template()
			.opsForHash()
			.values(own.redis().key("q", "beats"))
			.stream()
			.mapToLong((counter) -> Long.parseLong(counter.toString()))
			.sum();
	}

	private static long calls(OwnRedis own) {
		return calls(own, "evalsha");
	}

	/**
	 * Count the calls of the one script in this test that sets an expiry on a key.
	 */
	private static long reports(OwnRedis own) {
		return calls(own, "pexpire");
	}

	private static long calls(OwnRedis own, String command) {
		String text = info(own, "commandstats").getProperty("cmdstat_" + command, "calls=0,");
		return Long.parseLong(text.substring("calls=".length(), text.indexOf(',')));
	}

}

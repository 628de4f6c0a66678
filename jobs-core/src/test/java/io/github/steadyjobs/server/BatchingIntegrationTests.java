package io.github.steadyjobs.server;

import java.util.Properties;

import io.github.steadyjobs.support.OwnRedis;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.core.RedisCallback;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that workers keep to the budget of calls of docs/architecture.md.
 */
class BatchingIntegrationTests {

	private static final int JOBS = 2000;

	@Test
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
	void waitWhenNothingIsReadyCallsScriptsForHeartbeatsOnly() {
		try (OwnRedis own = OwnRedis.start();
				WorkerFixture worker = WorkerFixture.on(own.redis()).capsule(20, "q").jobs(new Runs()).build()) {
			worker.start();
			WorkerFixture.await().until(() -> beats(own) > 5);
			long before = calls(own);
			long first = beats(own);
			WorkerFixture.await().until(() -> beats(own) >= first + 40);
			long sent = calls(own) - before;
			assertThat(sent).isBetween(40L, beats(own) - first + 3);
		}
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
		RedisCallback<Properties> stats = (connection) -> connection.serverCommands().info("commandstats");
		String text = own.redis().template().execute(stats).getProperty("cmdstat_evalsha", "calls=0,");
		return Long.parseLong(text.substring("calls=".length(), text.indexOf(',')));
	}

}

package io.github.steadyjobs.server;

import java.util.Properties;

import io.github.steadyjobs.support.OwnRedis;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.core.RedisCallback;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that busy workers need fewer calls than there are jobs.
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
			// A claim and an acknowledgement a job would be twice as many as there are
			// jobs.
			assertThat(calls(own) - before).isLessThan(JOBS);
		}
	}

	private static long calls(OwnRedis own) {
		RedisCallback<Properties> stats = (connection) -> connection.serverCommands().info("commandstats");
		String text = own.redis().template().execute(stats).getProperty("cmdstat_evalsha", "calls=0,");
		return Long.parseLong(text.substring("calls=".length(), text.indexOf(',')));
	}

}

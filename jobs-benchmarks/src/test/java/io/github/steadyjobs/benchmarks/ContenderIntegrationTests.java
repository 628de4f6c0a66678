package io.github.steadyjobs.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that each {@link Contender} runs every enqueued job once.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ContenderIntegrationTests {

	private final EmbeddedRedisServer server = EmbeddedRedisServer.start();

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void steadyJobsRunsAllJobs() throws Exception {
		assertRunsAllJobs((server) -> BenchmarkApplication.start(server.uri().toString(), "bench",
				BenchmarkApplication.concurrency(4)));
	}

	@Test
	void ceilingRunsAllJobs() throws Exception {
		assertRunsAllJobs((server) -> new Ceiling(server.uri().toString(), 4, false));
	}

	@Test
	void streamsRunAllJobs() throws Exception {
		assertRunsAllJobs((server) -> new Streams(server.host(), server.port(), 4, false));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void ceilingRunsAllJobsOnVirtualThreads() throws Exception {
		assertRunsAllJobs((server) -> new Ceiling(server.uri().toString(), 4, true));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void streamsRunAllJobsOnVirtualThreads() throws Exception {
		assertRunsAllJobs((server) -> new Streams(server.host(), server.port(), 4, true));
	}

	private void assertRunsAllJobs(Function<EmbeddedRedisServer, Contender> start) throws Exception {
		try (Contender contender = start.apply(this.server)) {
			Runs runs = contender.runs();
			runs.expect(2600);
			contender.enqueue(0, 100);
			contender.enqueueInBulk(100, 2599);
			contender.startWorkers();
			contender.enqueue(2599, 2600);
			runs.await();
			assertThat(runs.executed()).isEqualTo(2600);
		}
	}

}

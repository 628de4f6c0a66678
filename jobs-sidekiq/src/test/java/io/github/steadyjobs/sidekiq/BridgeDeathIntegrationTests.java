package io.github.steadyjobs.sidekiq;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kills bridges while they move 10,000 jobs. No job is lost, and no job is duplicated.
 */
@RedisTest
class BridgeDeathIntegrationTests {

	private static final int JOBS = 10_000;

	private final SidekiqFixture fixture;

	BridgeDeathIntegrationTests(TestRedis redis) {
		this.fixture = new SidekiqFixture(redis);
	}

	@Test
	void jobsAreMovedOnceEachWhateverStepABridgeDiesIn() throws Exception {
		this.fixture.push(0, JOBS / 2);
		end(BridgeMain.TAKE);
		end(BridgeMain.STORE);
		assertThat(this.fixture.countJobs("mail")).isEqualTo(500);
		killWhileItMovesJobs(JOBS / 2, JOBS * 3 / 4);
		killWhileItMovesJobs(JOBS * 3 / 4, JOBS);
		end(BridgeMain.STORE);
		SidekiqBridge survivor = this.fixture.bridge();
		survivor.start();
		try {
			await().until(() -> this.fixture.countJobs("mail") >= JOBS);
			// Wait until the last unfinished batch has been moved.
			await()
				.until(() -> this.fixture.rubyContents().keySet().stream().noneMatch((key) -> key.contains("batch:")));
		}
		finally {
			survivor.stop();
		}
		this.fixture.assertOnceEach("mail", JOBS);
		assertThat(this.fixture.rubyContents()).doesNotContainKey("ruby:queue:hard")
			.doesNotContainKey("sidekiq:refused");
	}

	/**
	 * Let a process run until it ends of its own accord between two steps.
	 */
	private void end(String mode) throws Exception {
		Process bridge = BridgeMain.start(this.fixture.redis(), mode);
		try {
			assertThat(bridge.waitFor(60, TimeUnit.SECONDS)).isTrue();
			assertThat(bridge.exitValue()).isEqualTo(137);
		}
		finally {
			bridge.destroyForcibly();
		}
	}

	/**
	 * Kill a process that moves jobs. Meanwhile more jobs arrive, so that the process is
	 * always busy.
	 */
	private void killWhileItMovesJobs(int from, int to) throws Exception {
		long before = this.fixture.countJobs("mail");
		Process bridge = BridgeMain.start(this.fixture.redis(), BridgeMain.RUN);
		try {
			await().pollInterval(Duration.ofMillis(1)).until(() -> this.fixture.countJobs("mail") > before);
			for (int next = from; next < to; next += 100) {
				this.fixture.push(next, next + 100);
				if (next >= (from + to) / 2) {
					bridge.destroyForcibly();
				}
			}
			assertThat(bridge.waitFor(60, TimeUnit.SECONDS)).isTrue();
			assertThat(bridge.exitValue()).isEqualTo(128 + 9);
		}
		finally {
			bridge.destroyForcibly();
		}
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
	}

}

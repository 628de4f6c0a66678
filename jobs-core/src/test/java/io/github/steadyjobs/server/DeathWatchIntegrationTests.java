package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;

import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.server.WorkerSettings.Liveness;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@link DeathWatch} removes the names of processes whose records have
 * expired. {@link DeathWatchTests} and {@link ProcessDeathIntegrationTests} cover dead
 * processes.
 */
@RedisTest
class DeathWatchIntegrationTests {

	private final TestRedis redis;

	private final LivenessStore store;

	DeathWatchIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.store = new LivenessStore(redis.connections(), redis.prefix(), new DeadLimits(10, Duration.ofDays(1)));
	}

	@Test
	@DisplayName("SK-71: only one process at a time removes names whose records have expired, at most once a minute")
	void lookForgetsNamesOncePerMinuteWhileItHoldsTheLease() {
		DeathWatch first = looking("a:1");
		DeathWatch second = looking("b:1");
		registerWithoutRecord("gone:1");
		look(first);
		assertThat(this.redis.template().hasKey(this.redis.prefix() + ":processes")).isFalse();
		registerWithoutRecord("gone:2");
		look(second);
		look(first);
		assertThat(this.redis.template().opsForSet().members(this.redis.prefix() + ":processes"))
			.containsExactly("gone:2");
	}

	private DeathWatch looking(String process) {
		// The lease lasts eight heartbeat intervals. This test takes less than one
		// interval.
		return new DeathWatch(this.store, process, new Liveness(Duration.ofMinutes(5), Duration.ofHours(1), 3), null,
				new ForgottenQueues(this.store, new QueueMonitor(this.redis.connections(), this.redis.prefix())),
				Runnable::run);
	}

	private void registerWithoutRecord(String process) {
		this.redis.template().opsForSet().add(this.redis.prefix() + ":processes", process);
	}

	private static void look(DeathWatch looking) {
		looking.lookAtOthers(List.of());
	}

}

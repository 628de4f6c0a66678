package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;

import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.LivenessStore;
import io.github.steadyjobs.redis.WorkStore;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AbandonedQueues}. What it finds there is tested along with
 * {@link JobRecovery}.
 */
@RedisTest
class AbandonedQueuesIntegrationTests {

	private final TestRedis redis;

	private final LivenessStore store;

	AbandonedQueuesIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.store = new WorkStore(redis.connections(), redis.prefix())
			.liveness(new DeadLimits(10, Duration.ofDays(1)));
	}

	@AfterEach
	void clear() {
		this.redis.clear();
	}

	@Test
	@DisplayName("SK-71: one process at a time forgets names whose records have expired, at most once a minute")
	void lookForgetsNamesOncePerMinuteWhileItHoldsTheLease() {
		AbandonedQueues first = looking("a:1");
		AbandonedQueues second = looking("b:1");
		registerWithoutRecord("gone:1");
		look(first);
		assertThat(this.redis.template().hasKey(this.redis.prefix() + ":processes")).isFalse();
		registerWithoutRecord("gone:2");
		look(second);
		look(first);
		assertThat(this.redis.template().opsForSet().members(this.redis.prefix() + ":processes"))
			.containsExactly("gone:2");
	}

	private AbandonedQueues looking(String process) {
		// The lease lasts three beats, and this test not for one.
		return new AbandonedQueues(this.store, process, Duration.ofMinutes(5), new DeathWatch(Duration.ofHours(1)),
				null);
	}

	private void registerWithoutRecord(String process) {
		this.redis.template().opsForSet().add(this.redis.prefix() + ":processes", process);
	}

	private static void look(AbandonedQueues looking) {
		looking.look(List.of(), Runnable::run);
	}

}

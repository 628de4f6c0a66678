package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;

import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ForgottenQueues}.
 */
@RedisAndClusterTest
class ForgottenQueuesIntegrationTests {

	private static final long STEP = ForgottenQueues.LOOKED_AT_FOR;

	private final TestRedis redis;

	private final LivenessStore store;

	private final ForgottenQueues queues;

	private long now = System.nanoTime();

	ForgottenQueuesIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.store = new LivenessStore(redis.connections(), redis.prefix(), new DeadLimits(10, Duration.ofDays(1)));
		this.queues = new ForgottenQueues(this.store, new QueueMonitor(redis.connections(), redis.prefix()));
	}

	@Test
	void lookWhenQueueIsIdleForAnHourForgetsIt() {
		register("idle", "busy", "served", "recurring", "paused");
		put("busy", "payloads");
		put("served", "beats");
		put("paused", "meta");
		this.redis.template().opsForZSet().add(this.redis.key("recurring", "ticks"), "daily", 1);
		lookFor(ForgottenQueues.AFTER - STEP);
		assertThat(this.store.queues()).hasSize(5);
		lookFor(STEP);
		assertThat(this.store.queues()).containsExactly("busy", "paused", "recurring", "served");
	}

	@Test
	void lookWhenQueueWasUsedMeanwhileBeginsAnew() {
		register("q");
		lookFor(ForgottenQueues.AFTER - STEP);
		put("q", "payloads");
		lookFor(STEP);
		this.redis.template().delete(this.redis.key("q", "payloads"));
		lookFor(ForgottenQueues.AFTER - STEP);
		assertThat(this.store.queues()).containsExactly("q");
	}

	@Test
	void lookWhenAnotherProcessHasLookedMeanwhileBeginsAnew() {
		register("q");
		look();
		this.now += ForgottenQueues.AFTER;
		look();
		assertThat(this.store.queues()).containsExactly("q");
	}

	@Test
	void lookWhenAJobCameAsItWasForgottenMakesItKnownAgain() {
		register("q");
		lookFor(ForgottenQueues.AFTER);
		assertThat(this.store.queues()).isEmpty();
		put("q", "payloads");
		look();
		assertThat(this.store.queues()).containsExactly("q");
	}

	private void lookFor(long nanos) {
		look();
		for (long passed = 0; passed < nanos; passed += STEP) {
			this.now += STEP;
			look();
		}
	}

	private void look() {
		this.queues.look(List.copyOf(this.store.queues()), this.now);
	}

	private void register(String... names) {
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", names);
	}

	private void put(String queue, String hash) {
		this.redis.template().opsForHash().put(this.redis.key(queue, hash), "paused", "1");
	}

}

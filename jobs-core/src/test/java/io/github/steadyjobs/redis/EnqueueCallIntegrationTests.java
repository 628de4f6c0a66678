package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;

import io.github.steadyjobs.redis.KeySpace.QueueKeys;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.redis.ScriptFixture.HOUR;
import static io.github.steadyjobs.redis.ScriptFixture.id;
import static io.github.steadyjobs.redis.ScriptFixture.ids;
import static io.github.steadyjobs.redis.ScriptFixture.job;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EnqueueCall}.
 */
@RedisTest
class EnqueueCallIntegrationTests {

	private final CallSlots slots = new CallSlots(1, () -> "producer");

	private final TestRedis redis;

	private final ScriptFixture queue;

	EnqueueCallIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.queue = new ScriptFixture(redis);
	}

	@Test
	void sendWhenTimeHasPassedShortensDelays() {
		double first = this.queue.now();
		try (EnqueueCall call = begun(Duration.ofMinutes(40), job(1, 2 * HOUR), job(2, HOUR / 2), job(3))) {
			call.answer(() -> call.send(connections()));
		}
		assertThat(this.queue.ready()).containsExactly(ids(2, 3));
		assertThat(this.queue.score("scheduled", 1) - first).isBetween(80.0 * 60_000, 90.0 * 60_000);
	}

	@Test
	void sendWhenTimeHasPassedShortensExpiry() {
		double first = this.queue.now();
		NewJob expiring = new NewJob(id(1), ScriptFixture.bytes("{\"expires_at\":0}"), null, "", null,
				new NewJob.Expiry(2 * HOUR, 14));
		try (EnqueueCall call = begun(Duration.ofMinutes(40), expiring, job(2))) {
			call.answer(() -> call.send(connections()));
		}
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
		String stored = this.queue.hash("payloads").get(id(1));
		assertThat(Double.parseDouble(stored.replaceAll("\\D", "")) - first).isBetween(80.0 * 60_000, 90.0 * 60_000);
	}

	@Test
	void sendWhenJobsAreDueAtTheSameTimeKeepsTheirOrder() {
		NewJob[] jobs = new NewJob[500];
		for (int i = 0; i < jobs.length; i++) {
			jobs[i] = job(i, HOUR);
		}
		try (EnqueueCall call = begun(Duration.ofMinutes(1), jobs)) {
			call.answer(() -> call.send(connections()));
		}
		assertThat(this.queue.score("scheduled", 0)).isEqualTo(this.queue.score("scheduled", 499));
		assertThat(this.queue.sorted("scheduled")).isSorted().startsWith(id(0)).endsWith(id(499));
	}

	@Test
	void sendWhenSentAgainIsTheSameCall() {
		try (EnqueueCall call = begun(Duration.ZERO, job(1, HOUR))) {
			call.answer(() -> call.send(connections()));
			assertThat(call.answer(() -> call.send(connections()))).hasSize(1);
		}
		assertThat(this.queue.hash("calls")).hasSize(1);
		assertThat(this.queue.sorted("scheduled")).containsExactly(id(1));
	}

	private EnqueueCall begun(Duration ago, NewJob... jobs) {
		Duration timeout = Duration.ofSeconds(20);
		QueueKeys keys = new KeySpace(this.redis.prefix()).queue(this.queue.queue());
		return new EnqueueCall(this.slots, this.slots.take(timeout), new EnqueueCall.Destination(keys, 0),
				List.of(jobs), System.nanoTime() - ago.toNanos(), System.nanoTime() + timeout.toNanos());
	}

	private NodeConnections connections() {
		return this.redis.connections().commands();
	}

}

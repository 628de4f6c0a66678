package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.List;

import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.NumberedCalls;
import io.github.steadyjobs.redis.StoreCalls;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.job;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EnqueueCall}.
 */
@RedisTest
class EnqueueCallIntegrationTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final NumberedCalls calls;

	private final ScriptFixture queue;

	EnqueueCallIntegrationTests(TestRedis redis) {
		this.calls = new NumberedCalls(StoreCalls.of(redis.connections(), redis.prefix()), 1, () -> "producer");
		this.queue = new ScriptFixture(redis);
	}

	@Test
	void sendWhenTimeHasPassedShortensDelays() {
		double first = this.queue.now();
		try (EnqueueCall call = begun(Duration.ofMinutes(40), job(1, 2 * HOUR), job(2, HOUR / 2), job(3))) {
			answer(call);
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
			answer(call);
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
			answer(call);
		}
		assertThat(this.queue.score("scheduled", 0)).isEqualTo(this.queue.score("scheduled", 499));
		assertThat(this.queue.sorted("scheduled")).isSorted().startsWith(id(0)).endsWith(id(499));
	}

	@Test
	void sendWhenSentAgainIsTheSameCall() {
		try (EnqueueCall call = begun(Duration.ZERO, job(1, HOUR))) {
			answer(call);
			assertThat(answer(call)).hasSize(1);
		}
		assertThat(this.queue.hash("calls")).hasSize(1);
		assertThat(this.queue.sorted("scheduled")).containsExactly(id(1));
	}

	private EnqueueCall begun(Duration ago, NewJob... jobs) {
		return new EnqueueCall(this.calls.take(TIMEOUT), new Destination.Queue(this.queue.queue()), List.of(jobs), 0,
				System.nanoTime() - ago.toNanos(), System.nanoTime() + TIMEOUT.toNanos());
	}

	private static List<Admission> answer(EnqueueCall call) {
		call.send(null);
		return call.answer(TIMEOUT);
	}

}

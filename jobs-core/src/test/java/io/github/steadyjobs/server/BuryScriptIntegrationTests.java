package io.github.steadyjobs.server;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.core.ZSetOperations.TypedTuple;

import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.payload;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@code settle.lua} with dead or discarded jobs.
 */
class BuryScriptIntegrationTests extends AbstractScriptTests {

	private static final int MAX = 10_000;

	BuryScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void buryWhenJobIsHeldMovesIt() {
		this.queue.working(1);
		assertThat(this.queue.bury(1, 1, MAX, HOUR)).isEqualTo("D");
		assertThat(this.queue.has("working")).isFalse();
		assertThat(this.queue.score("dead", 1)).isCloseTo(this.queue.now(), within(10_000.0));
		assertThat(this.queue.hash("payloads")).isEqualTo(Map.of(id(1), payload(1)));
		assertThat(this.queue.hash("stats")).isEqualTo(Map.of("dead", "1"));
	}

	@Test
	void buryWhenPayloadIsGivenStoresIt() {
		this.queue.working(1);
		this.queue.bury(PROCESS, 1, token(1), "failed too often", MAX, HOUR);
		assertThat(this.queue.hash("payloads")).isEqualTo(Map.of(id(1), "failed too often"));
	}

	@Test
	void buryWhenSetHoldsOneLessThanMaxKeepsAll() {
		given(4);
		assertThat(this.queue.bury(5, 5, 5, HOUR)).isEqualTo("D");
		assertThat(this.queue.sorted("dead")).containsExactly(ids(1, 2, 3, 4, 5));
		assertThat(this.queue.stat("trimmed")).isZero();
	}

	@Test
	void buryWhenSetHoldsMaxDropsTheOldest() {
		given(5);
		assertThat(this.queue.bury(6, 6, 5, HOUR)).isEqualTo("D");
		assertThat(this.queue.sorted("dead")).containsExactly(ids(2, 3, 4, 5, 6));
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(ids(2, 3, 4, 5, 6));
		assertThat(this.queue.stat("trimmed")).isEqualTo(1);
	}

	@Test
	@DisplayName("AMB-4: the dead set keeps 10,000 jobs, not 9,999")
	void buryWhenSetHoldsTenThousandKeepsTenThousand() {
		this.queue.working(1);
		long now = this.queue.now();
		fill(2, MAX + 1, now - MAX);
		this.queue.bury(1, 1, MAX, HOUR);
		assertThat(this.queue.sorted("dead")).hasSize(MAX).doesNotContain(id(2)).startsWith(id(3)).endsWith(id(1));
	}

	@Test
	void buryWhenSomeAreTooOldDropsThem() {
		this.queue.working(1);
		long now = this.queue.now();
		fill(2, 4, now - 2 * HOUR);
		fill(5, 6, now - HOUR / 2);
		this.queue.bury(1, 1, MAX, HOUR);
		assertThat(this.queue.sorted("dead")).containsExactly(ids(5, 6, 1));
		assertThat(this.queue.stat("trimmed")).isEqualTo(3);
	}

	@Test
	void buryWhenFarTooManyDropsTheHundredOldest() {
		this.queue.working(1);
		fill(2, 401, this.queue.now() - 1000);
		this.queue.bury(1, 1, 10, HOUR);
		assertThat(this.queue.sorted("dead")).hasSize(301).startsWith(id(102)).endsWith(id(1));
		assertThat(this.queue.stat("trimmed")).isEqualTo(100);
	}

	@Test
	void buryWhenFarTooManyAreTooOldDropsTheHundredOldest() {
		this.queue.working(1);
		fill(2, 401, this.queue.now() - 2 * HOUR);
		this.queue.bury(1, 1, MAX, HOUR);
		assertThat(this.queue.sorted("dead")).hasSize(301).startsWith(id(102)).endsWith(id(1));
	}

	@Test
	void buryWhenNoneIsToBeKeptKeepsNone() {
		this.queue.working(1);
		assertThat(this.queue.bury(1, 1, 0, HOUR)).isEqualTo("D");
		assertThat(this.queue.contents()).doesNotContainKeys("working", "dead", "payloads");
	}

	@Test
	void buryWhenJobWasCancelledMeanwhileEndsIt() {
		this.queue.working(1);
		this.queue.cancel(1);
		assertThat(this.queue.bury(PROCESS, 1, token(1), "failed", MAX, HOUR)).isEqualTo("C");
		assertThat(this.queue.contents()).doesNotContainKeys("working", "dead", "payloads", "cancelled");
	}

	@Test
	void buryWhenJobHasExpiredForgetsItAndCountsItApart() {
		this.queue.working(1);
		assertThat(this.queue.discard(PROCESS, 1, token(1), "expired")).isEqualTo("D");
		assertThat(this.queue.contents()).doesNotContainKeys("working", "payloads", "dead");
		assertThat(this.queue.hash("stats")).isEqualTo(Map.of("expired", "1"));
	}

	@Test
	void buryWhenJobIsToBeForgottenLeavesNothingOfIt() {
		this.queue.working(1);
		assertRepeatable(() -> this.queue.discard(PROCESS, 1, token(1)));
		assertThat(this.queue.contents()).doesNotContainKeys("working", "dead", "payloads");
		assertThat(this.queue.hash("stats")).isEqualTo(Map.of("discarded", "1"));
		assertThat(this.queue.discard(PROCESS, 1, token(1))).isEqualTo("A");
	}

	@Test
	void buryWhenJobIsToBeForgottenAndWasCancelledMeanwhileEndsIt() {
		this.queue.working(1);
		this.queue.cancel(1);
		assertThat(this.queue.discard(PROCESS, 1, token(1))).isEqualTo("C");
		assertThat(this.queue.contents()).doesNotContainKeys("working", "payloads", "cancelled");
		assertThat(this.queue.stat("discarded")).isZero();
	}

	@Test
	void buryWhenJobIsToBeForgottenAndTokenIsWrongAnswersStaleAndWritesNothing() {
		this.queue.working(1);
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.discard("p2", 1, token(1))).isEqualTo("S");
		assertThat(this.queue.discard(PROCESS, 1, token(2))).isEqualTo("S");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void buryWhenTokenIsWrongAnswersStaleAndWritesNothing() {
		this.queue.working(1);
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.bury("p2", 1, token(1), "", MAX, HOUR)).isEqualTo("S");
		assertThat(this.queue.bury(PROCESS, 1, token(2), "", MAX, HOUR)).isEqualTo("S");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void buryWhenQueueIsEmptyAnswersAlready() {
		assertThat(this.queue.bury(1, 1, MAX, HOUR)).isEqualTo("A");
		assertThat(this.queue.contents()).isEmpty();
	}

	@Test
	void buryWhenRepeatedChangesNothing() {
		given(5);
		assertRepeatable(() -> this.queue.bury(6, 6, 5, HOUR));
		assertThat(this.queue.bury(6, 6, 5, HOUR)).isEqualTo("A");
	}

	@Test
	void buryWhenTypeIsWrongRefuses() {
		assertRefusesWrongTypes(ScriptFixture.SETTLE, (queue) -> queue.working(1),
				(queue) -> queue.bury(PROCESS, 1, token(1), "failed", MAX, HOUR), fate("working", "dead"));
	}

	/**
	 * Prepare a number of dead jobs, which died one after the other, and one running job.
	 */
	private void given(int dead) {
		this.queue.working(IntStream.rangeClosed(1, dead + 1).toArray());
		for (int job = 1; job <= dead; job++) {
			this.queue.bury(job, job, MAX, HOUR);
			this.queue.template().opsForZSet().incrementScore(this.queue.key("dead"), id(job), job - 1000);
		}
	}

	private void fill(int from, int to, long firstDeath) {
		Set<TypedTuple<String>> deaths = new HashSet<>();
		Map<String, String> payloads = new HashMap<>();
		IntStream.rangeClosed(from, to).forEach((job) -> {
			deaths.add(TypedTuple.of(id(job), (double) firstDeath + job - from));
			payloads.put(id(job), payload(job));
		});
		this.queue.template().opsForZSet().add(this.queue.key("dead"), deaths);
		this.queue.template().opsForHash().putAll(this.queue.key("payloads"), payloads);
	}

}

package io.github.steadyjobs.admin;

import java.util.Map;
import java.util.stream.IntStream;

import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.gathered;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.ordered;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code revive.lua} (LK-16 (c), LK-20, LK-22, AMB-3).
 */
class ReviveScriptIntegrationTests extends AbstractScriptTests {

	private static final int LIMIT = 1200;

	ReviveScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void reviveWhenKeyHasNoJobMakesOne() {
		bury();
		assertThat(revive("fresh\n5 [5]\n")).isEqualTo("D");
		assertThat(this.queue.ready()).containsExactly(ids(1));
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(1)).containsEntry(id(1), "fresh\n5 [5]\n");
		assertThat(this.queue.has("dead")).isFalse();
		assertThat(this.queue.list("wake")).isNotEmpty();
		assertThat(revive("fresh\n5 [5]\n")).isEqualTo("A");
		assertThat(this.queue.ready()).containsExactly(ids(1));
	}

	@Test
	void reviveWhenKeyWaitsForARetryMakesItDueAsIfItHadNotFailed() {
		bury();
		this.queue.gather(ordered(1, "7", "[7]"));
		this.queue.claim(1);
		this.queue.retry(PROCESS, 1, token(2), HOUR);
		this.queue.set("payloads", id(1), "failed\n7 [7]\n");
		assertThat(revive("fresh\n5 [5]\n")).isEqualTo("D");
		assertThat(this.queue.hash("payloads")).containsEntry(id(1), "fresh\n5 [5]\n7 [7]\n");
		assertThat(this.queue.ready()).containsExactly(ids(1));
		assertThat(this.queue.has("retries")).isFalse();
	}

	@Test
	void reviveWhenKeyHasToRunAlonePutsItAmongTheSuspects() {
		bury();
		this.queue.gather(ordered(1, "7", "[7]"));
		this.queue.claim(1);
		this.queue.retry(PROCESS, 1, token(2), HOUR);
		this.queue.set("crashes", id(1), "2 " + PROCESS + " alone");
		assertThat(revive("fresh\n5 [5]\n")).isEqualTo("D");
		assertThat(this.queue.list("suspects")).containsExactly(id(1));
		assertThat(this.queue.ready()).isEmpty();
	}

	@Test
	void reviveWhenKeyIsReadyOrScheduledMerges() {
		bury();
		this.queue.gather(ordered(1, "7", "[7]", HOUR));
		revive("fresh\n5 [5]\n");
		assertThat(this.queue.ready()).containsExactly(ids(1));
		this.queue.exhaust(PROCESS, 1, this.queue.take(1).get(0).claim(), 9, "dead", gathered(1, "7 [7]"));
		revive("fresh\n5 [5]\n");
		assertThat(this.queue.ready()).containsExactly(ids(1));
		assertThat(this.queue.hash("payloads")).containsEntry(id(1), "fresh\n5 [5]\n7 [7]\n");
	}

	@Test
	void reviveWhenKeyRunsIsForTheNextRun() {
		bury();
		this.queue.gather(ordered(1, "7", "[7]"));
		this.queue.claim(1);
		revive("fresh\n5 [5]\n");
		assertThat(this.queue.ready()).isEmpty();
		this.queue.acknowledge(PROCESS, id(1), token(2));
		assertThat(this.queue.ready()).containsExactly(ids(1));
		assertThat(this.queue.hash("payloads")).containsEntry(id(1), "fresh\n5 [5]\n");
	}

	@Test
	void reviveWhenKeyWasCancelledWhereItWaitedGoesOnThere() {
		bury();
		this.queue.gather(ordered(1, "7", "[7]"));
		this.queue.cancel(1);
		revive("fresh\n5 [5]\n");
		assertThat(this.queue.ready()).containsExactly(ids(1));
	}

	@Test
	void reviveWhenShardsHaveChangedDoesNothing() {
		bury();
		this.queue.set("meta", "shards", "3");
		assertThat(revive("fresh\n5 [5]\n")).isEqualTo("MOVED 3");
		assertThat(this.queue.sorted("dead")).containsExactly(id(9));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void reviveWhenKeyIsFullRefuses(boolean runs) {
		bury();
		if (runs) {
			this.queue.gather(ordered(1, "0", "[0]"));
			this.queue.claim(1);
		}
		gather(1, 0, 700, LIMIT);
		gather(2, 700, 1400, LIMIT);
		Map<String, Object> before = this.queue.contents();
		assertThat(revive("fresh\n5 [5]\n")).isEqualTo("F");
		assertThat(this.queue.contents()).isEqualTo(before);
		assertThat(revive("fresh\n5 [\"99\"]\n")).isEqualTo("D");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void reviveWhenKeyHasABacklogAddsToIt(boolean runs) {
		bury();
		if (runs) {
			this.queue.gather(ordered(1, "0", "[0]"));
			this.queue.claim(1);
		}
		gather(1, 10, 110, LIMIT);
		assertThat(revive("fresh\n5 [5]\n")).isEqualTo("D");
		if (runs) {
			this.queue.acknowledge(PROCESS, id(1), token(2));
		}
		assertThat(this.queue.ready()).containsExactly(ids(1));
		assertThat(new String(this.queue.take(1).get(0).payload())).startsWith("fresh\n5 [5]\n10 [\"10\"]\n")
			.hasLineCount(102);
	}

	private void gather(int call, int from, int to, int limit) {
		this.queue.gatherCall("p/1", call, 1, limit,
				IntStream.range(from, to)
					.mapToObj((n) -> ordered(1, Integer.toString(n), "[\"" + n + "\"]"))
					.toArray(NewJob[]::new));
	}

	@Test
	void reviveWhenThereIsNothingToStoreOnlyForgets() {
		bury();
		assertThat(revive("")).isEqualTo("D");
		assertThat(this.queue.has("dead")).isFalse();
		assertThat(this.queue.has("payloads")).isFalse();
	}

	@Test
	void reviveWhenKeyHasWrongTypeRefuses() {
		assertRefusesWrongTypes(OrderedJobs.REVIVE, (given) -> bury(given), (given) -> revive(given, "fresh\n5 [5]\n"),
				fate("working", "dead", "meta", "backlog", "backlogged"));
	}

	private void bury() {
		bury(this.queue);
	}

	private static void bury(ScriptFixture queue) {
		queue.join(PROCESS);
		queue.gather(ordered(1, "5", "[5]"));
		queue.claim(1);
		queue.exhaust(PROCESS, 1, token(1), 9, "dead", "fresh\n");
		queue.template().delete(queue.key("wake"));
	}

	private String revive(String stored) {
		return revive(this.queue, stored);
	}

	private static String revive(ScriptFixture queue, String stored) {
		return Answers.text(queue.run(OrderedJobs.REVIVE, id(9), id(1), stored, 1, LIMIT), 0);
	}

}

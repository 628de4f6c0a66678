package io.github.steadyjobs.client;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import io.github.steadyjobs.ordered.Gathered;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.gathered;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.ordered;
import static io.github.steadyjobs.server.ScriptFixture.payload;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@code gather.lua}, {@code merge-payloads.lua}, {@code advance.lua} and
 * {@code settle.lua} for single payloads.
 */
class GatherScriptIntegrationTests extends AbstractScriptTests {

	GatherScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	// LK-11: a new job has not failed, and is due immediately.
	@Test
	void gatherWhenKeyIsNewMakesItsJobReady() {
		assertThat(this.queue.gatherCall("producer/7", 1, 3, ordered(1, "5", "[1]"))).isEqualTo("S");
		assertThat(this.queue.contents()).containsOnlyKeys("calls", "meta", "payloads", "ready", "wake")
			.containsEntry("ready", List.of(id(1)))
			.containsEntry("payloads", Map.of(id(1), gathered(1, "5 [1]")))
			.containsEntry("wake", List.of("1"));
		assertThat(this.queue.hash("meta")).containsEntry("shards", "3").containsKeys("epoch", "seq", "schema");
	}

	// LK-12: score and planned time default to the current time.
	@Test
	void gatherWhenScoreIsLeftOutTakesRedisTime() {
		this.queue.gather(ordered(1, "", "[1]"));
		this.queue.gather(ordered(1, "", "[2]"));
		Gathered stored = Gathered.read(ScriptFixture.bytes(this.queue.hash("payloads").get(id(1))));
		assertThat(Double.parseDouble(stored.score(0))).isCloseTo(this.queue.now(), within(10_000.0))
			.isLessThan(Double.parseDouble(stored.score(1)));
		assertThat(stored.score(0)).matches("\\d{13}\\.\\d{3}");
	}

	// LK-03: jobs are ordered by planned time.
	@Test
	void gatherWhenDelayedSchedules() {
		assertThat(this.queue.gather(ordered(1, "5", "[1]", HOUR), ordered(2, "5", "[1]"))).isEqualTo("S");
		assertThat(this.queue.ready()).containsExactly(ids(2));
		assertThat(this.queue.score("scheduled", 1)).isCloseTo(this.queue.now() + HOUR, within(10_000.0));
	}

	// LK-07, LK-16 (a), LK-18: the due time of the queued job is kept.
	@Test
	void gatherWhenKeyWaitsMergesInOrderOfScores() {
		this.queue.gather(ordered(1, "5", "[5]", HOUR));
		assertThat(this.queue.gather(ordered(1, "7", "[7]"), ordered(1, "3", "[3]"), ordered(2, "1", "[1]"),
				ordered(1, "5.5", "[55]")))
			.isEqualTo("MMSM");
		assertThat(stored(1)).isEqualTo(gathered(1, "3 [3]", "5 [5]", "5.5 [55]", "7 [7]"));
		assertThat(this.queue.sorted("scheduled")).containsExactly(id(1));
		assertThat(this.queue.ready()).containsExactly(ids(2));
	}

	// LK-17, LK-21 and AMB-1: the test follows the rule in Lowkiq's documentation, not
	// the example there, in which v2 has the score 3.
	@Test
	void gatherWhenPayloadsAreEqualKeepsTheSmallerScore() {
		this.queue.gather(ordered(1, "1", "[\"v1\"]"), ordered(1, "2", "[\"v2\"]"));
		this.queue.gather(ordered(1, "3", "[\"v2\"]"), ordered(1, "4", "[\"v3\"]"));
		assertThat(stored(1)).isEqualTo(gathered(1, "1 [\"v1\"]", "2 [\"v2\"]", "4 [\"v3\"]"));
		this.queue.gather(ordered(1, "0", "[\"v3\"]"));
		assertThat(stored(1)).isEqualTo(gathered(1, "0 [\"v3\"]", "1 [\"v1\"]", "2 [\"v2\"]"));
	}

	@Test
	void gatherWhenScoresAreEqualKeepsTheOrderOfArrival() {
		this.queue.gather(ordered(1, "1", "[2]"), ordered(1, "1", "[1]"), ordered(1, "1.0", "[3]"));
		this.queue.gather(ordered(1, "0", "[0]"), ordered(1, "1", "[4]"));
		assertThat(stored(1)).isEqualTo(gathered(1, "0 [0]", "1 [2]", "1 [1]", "1.0 [3]", "1 [4]"));
	}

	@Test
	void gatherWhenAnotherProgramHasStoredAPayloadTwiceKeepsTheFirst() {
		this.queue.gather(ordered(1, "1", "[1]"));
		this.queue.set("payloads", id(1), gathered(1, "1 [1]", "2 [2]", "3 [1]"));
		this.queue.gather(ordered(1, "0", "[0]"));
		assertThat(stored(1)).isEqualTo(gathered(1, "0 [0]", "1 [1]", "2 [2]"));
	}

	@ParameterizedTest
	@CsvSource({ "9223372036854775806, 9223372036854775807", "-9223372036854775807, -9223372036854775806", "-2, 1",
			"-10, -9", "9, 10", "1E300, 2E300", "1732290000000000001, 1732290000000000002" })
	void gatherWhenScoresAreLargeComparesThemExactly(String less, String more) {
		this.queue.gather(ordered(1, more, "[2]"), ordered(1, less, "[1]"));
		assertThat(stored(1)).isEqualTo(gathered(1, less + " [1]", more + " [2]"));
		this.queue.gather(ordered(2, less, "[1]"), ordered(2, more, "[2]"));
		assertThat(stored(2)).isEqualTo(gathered(2, less + " [1]", more + " [2]"));
	}

	// LK-01, LK-06: payloads that arrive during a run wait until it has ended.
	@Test
	void gatherWhenKeyRunsKeepsPayloadsForTheNextRun() {
		run(1, "5 [5]");
		assertThat(this.queue.gather(ordered(1, "6", "[6]", HOUR), ordered(1, "4", "[4]"))).isEqualTo("MM");
		assertThat(stored(1)).isEqualTo(gathered(1, "5 [5]"));
		assertThat(this.queue.ready()).isEmpty();
		assertThat(this.queue.has("scheduled")).isFalse();
		assertThat(this.queue.acknowledge(PROCESS, id(1), token(1))).isEqualTo("D");
		assertThat(this.queue.sorted("scheduled")).containsExactly(id(1));
		assertThat(stored(1)).isEqualTo(gathered(1, "4 [4]", "6 [6]"));
		assertThat(this.queue.has("gathered")).isFalse();
		this.queue.assertOnePlaceEach();
	}

	@Test
	void acknowledgeWhenPayloadsHaveComeMakesThemReadyAndWakes() {
		run(1, "5 [5]");
		this.queue.gather(ordered(1, "6", "[6]"));
		this.queue.template().delete(this.queue.key("wake"));
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.ready()).containsExactly(ids(1));
		assertThat(this.queue.list("wake")).hasSize(1);
	}

	@Test
	void gatherWhenSentTwiceChangesNothing() {
		this.queue.gatherCall("producer/7", 4, 1, ordered(1, "5", "[5]"));
		this.queue.join(PROCESS);
		this.queue.claim(1);
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.gatherCall("producer/7", 4, 1, ordered(1, "5", "[5]"))).isEqualTo("S");
		assertThat(this.queue.gatherCall("producer/7", 3, 1, ordered(1, "4", "[4]"))).isEqualTo("STALE");
		assertThat(this.queue.gatherCall("producer/7", 4, 1, ordered(1, "6", "[6]"))).isEqualTo("OTHER");
		assertThat(this.queue.has("payloads")).isFalse();
	}

	@Test
	void gatherWhenShardsHaveChangedStoresNothing() {
		this.queue.gatherCall("producer/7", 1, 2, ordered(1, "5", "[5]"));
		assertThat(this.queue.gatherCall("producer/7", 2, 1, ordered(2, "5", "[5]"))).isEqualTo("MOVED 2");
		assertThat(this.queue.gatherCall("producer/7", 2, 3, ordered(2, "5", "[5]"))).isEqualTo("S");
		assertThat(this.queue.hash("meta")).containsEntry("shards", "3");
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
	}

	// LK-13, LK-14, LK-16 (b), LK-19: the due time and the failure count of the failed
	// job are kept.
	@Test
	void retryWhenPayloadsHaveComeMergesThemIntoTheFailedJob() {
		run(1, "5 [5]");
		this.queue.gather(ordered(1, "4", "[4]"));
		this.queue.retry(PROCESS, 1, token(1), HOUR);
		assertThat(this.queue.score("retries", 1)).isCloseTo(this.queue.now() + HOUR, within(10_000.0));
		assertThat(this.queue.has("gathered")).isFalse();
		this.queue.assertOnePlaceEach();
	}

	@Test
	@DisplayName("LK-19: payloads that arrived in the meantime take due time and retry count from the failed job")
	void retryWhenPayloadsHaveComeKeepsDueTimeAndCountOfTheFailedJob() {
		run(1, "5 [5]");
		this.queue.gather(ordered(1, "4", "[4]"));
		String counted = payload(1).replaceFirst("}$", ",\"retry_count\":3}");
		this.queue.settle(PROCESS, "failed", 1, token(1), counted + "\n5 [5]\n", HOUR);
		assertThat(stored(1)).isEqualTo(counted + "\n4 [4]\n5 [5]\n");
		assertThat(this.queue.score("retries", 1)).isCloseTo(this.queue.now() + HOUR, within(10_000.0));
		assertThat(this.queue.has("ready")).isFalse();
	}

	@Test
	void retryKeepsPayloadsThatHaveCome() {
		run(1, "5 [5]", "7 [7]");
		this.queue.gather(ordered(1, "6", "[6]"), ordered(1, "8", "[5]"));
		this.queue.settle(PROCESS, "failed", 1, token(1), gathered(1, "5 [5]", "7 [7]"), 0);
		assertThat(stored(1)).isEqualTo(gathered(1, "5 [5]", "6 [6]", "7 [7]"));
	}

	@Test
	void requeueMergesWhatHasCome() {
		run(1, "5 [5]");
		this.queue.gather(ordered(1, "4", "[4]"), ordered(2, "1", "[1]"));
		assertThat(this.queue.requeue(PROCESS, id(1), token(1))).isEqualTo("D");
		assertThat(stored(1)).isEqualTo(gathered(1, "4 [4]", "5 [5]"));
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
	}

	// LK-02: unfinished work returns to the queue.
	@Test
	void recoverMergesWhatHasCome() {
		run(1, "5 [5]");
		this.queue.gather(ordered(1, "4", "[4]"));
		assertThat(this.queue.recovered(PROCESS)).containsExactly(1L, 0L);
		assertThat(stored(1)).isEqualTo(gathered(1, "4 [4]", "5 [5]"));
		assertThat(this.queue.ready()).containsExactly(ids(1));
		assertThat(this.queue.has("gathered")).isFalse();
	}

	@Test
	void parkMergesWhatHasComeAndWhatComesLater() {
		run(1, "5 [5]");
		this.queue.gather(ordered(1, "4", "[4]"));
		this.queue.park(1, 1, "unknown:x");
		assertThat(this.queue.gather(ordered(1, "3", "[3]"))).isEqualTo("M");
		assertThat(stored(1)).isEqualTo(gathered(1, "3 [3]", "4 [4]", "5 [5]"));
		this.queue.assertOnePlaceEach();
	}

	// LK-15 and AMB-2: the payload with the smallest score dies, and the other payloads
	// start afresh.
	@Test
	void exhaustMovesOnePayloadToTheDeadAndLetsTheOthersGoOn() {
		run(1, "5 [5]", "7 [7]");
		this.queue.gather(ordered(1, "6", "[6]", HOUR));
		assertThat(this.queue.exhaust(PROCESS, 1, token(1), 9, "dead", gathered(1, "7 [7]"))).isEqualTo("D");
		assertThat(this.queue.hash("payloads")).containsEntry(id(9), "dead")
			.containsEntry(id(1), gathered(1, "6 [6]", "7 [7]"));
		assertThat(this.queue.sorted("dead")).containsExactly(id(9));
		assertThat(this.queue.ready()).containsExactly(ids(1));
		assertThat(this.queue.stat("dead")).isEqualTo(1);
		this.queue.assertOnePlaceEach();
		assertThat(this.queue.exhaust(PROCESS, 1, token(1), 9, "dead", gathered(1, "7 [7]"))).isEqualTo("A");
	}

	@Test
	void exhaustWhenNothingIsLeftEndsTheKey() {
		run(1, "5 [5]");
		assertThat(this.queue.exhaust(PROCESS, 1, token(1), 9, "", gathered(1).replace("\n\n", "\n"))).isEqualTo("D");
		assertThat(this.queue.has("payloads")).isFalse();
		assertThat(this.queue.has("dead")).isFalse();
		assertThat(this.queue.stat("discarded")).isEqualTo(1);
		this.queue.assertOnePlaceEach();
	}

	@Test
	void exhaustWhenOnlyNewPayloadsAreLeftKeepsTheirDueTime() {
		run(1, "5 [5]");
		this.queue.gather(ordered(1, "6", "[6]", HOUR));
		this.queue.exhaust(PROCESS, 1, token(1), 9, "dead", gathered(1).replace("\n\n", "\n"));
		assertThat(this.queue.sorted("scheduled")).containsExactly(id(1));
		assertThat(stored(1)).isEqualTo(gathered(1, "6 [6]"));
	}

	@Test
	void exhaustWhenAnotherClaimHoldsTheJobChangesNothing() {
		run(1, "5 [5]");
		assertThat(this.queue.exhaust("other", 1, token(1), 9, "dead", gathered(1, "7 [7]"))).isEqualTo("S");
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(1));
	}

	@Test
	void advanceDropsWhatIsDoneOnce() {
		run(1, "5 [5]", "6 [6]", "7 [7]");
		assertThat(this.queue.advance(PROCESS, 1, token(1), 12)).isEqualTo("D");
		assertThat(this.queue.advance(PROCESS, 1, token(1), 12)).isEqualTo("D");
		assertThat(stored(1)).isEqualTo(gathered(1, "6 [6]", "7 [7]"));
		assertThat(this.queue.advance(PROCESS, 1, token(1), 6)).isEqualTo("D");
		assertThat(this.queue.advance(PROCESS, 1, token(1), 12)).isEqualTo("D");
		assertThat(stored(1)).isEqualTo(gathered(1, "7 [7]"));
		assertThat(this.queue.advance("other", 1, token(1), 0)).isEqualTo("S");
		assertThat(this.queue.advance(PROCESS, 2, token(1), 0)).isEqualTo("A");
	}

	@Test
	void cancelWhenKeyWaitsDropsAllOfItAndLaterOnesGoOnInItsPlace() {
		this.queue.gather(ordered(1, "5", "[5]"), ordered(2, "5", "[5]"));
		assertThat(this.queue.cancel(1)).isEqualTo("CANCELLED");
		assertThat(this.queue.gather(ordered(1, "6", "[6]"))).isEqualTo("S");
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
		assertThat(stored(1)).isEqualTo(gathered(1, "6 [6]"));
		this.queue.assertOnePlaceEach();
		this.queue.cancel(1);
		this.queue.gather(ordered(1, "7", "[7]", HOUR));
		assertThat(this.queue.ready()).containsExactly(ids(2));
		this.queue.assertOnePlaceEach();
	}

	@Test
	void gatherWhenAnotherKeyIsCancelledSearchesNoList() {
		this.queue.gather(ordered(1, "5", "[5]"));
		this.queue.cancel(1);
		// If the list were searched, this id, which exists nowhere else, would be found
		// there.
		this.queue.template().opsForList().leftPush(this.queue.key("ready"), id(2));
		this.queue.gather(ordered(2, "6", "[6]", HOUR));
		assertThat(this.queue.ready()).containsExactly(ids(1, 2));
		assertThat(this.queue.sorted("scheduled")).containsExactly(id(2));
		this.queue.template().opsForList().remove(this.queue.key("ready"), 1, id(2));
	}

	@ParameterizedTest
	@CsvSource({ "acknowledge", "retry", "requeue", "recover", "park", "bury", "exhaust" })
	void cancelWhenKeyRunsDropsWhatHasComeAndKeepsWhatComesLater(String end) {
		run(1, "5 [5]");
		this.queue.gather(ordered(1, "6", "[6]"));
		assertThat(this.queue.cancel(1)).isEqualTo("RUNNING");
		assertThat(this.queue.gather(ordered(1, "7", "[7]"))).isEqualTo("M");
		assertThat(this.queue.advance(PROCESS, 1, token(1), 0)).isEqualTo("C");
		switch (end) {
			case "acknowledge" -> this.queue.acknowledge(PROCESS, id(1), token(1));
			case "retry" -> this.queue.retry(1, 1, 0);
			case "requeue" -> this.queue.requeue(PROCESS, id(1), token(1));
			case "recover" -> this.queue.recover(PROCESS);
			case "park" -> this.queue.park(1, 1, "unknown:x");
			case "bury" -> this.queue.bury(1, 1, 10, HOUR);
			default -> this.queue.exhaust(PROCESS, 1, token(1), 9, "dead", gathered(1, "5 [5]"));
		}
		assertThat(this.queue.hash("payloads")).containsOnly(Map.entry(id(1), gathered(1, "7 [7]")));
		assertThat(this.queue.ready()).containsExactly(ids(1));
		this.queue.assertOnePlaceEach();
	}

	@Test
	void gatherWhenScoresDescendInsertsEachInItsPlace() {
		NewJob[] jobs = IntStream.rangeClosed(1, 60)
			.mapToObj((n) -> ordered(1, Integer.toString(60 - n), "[" + n + "]"))
			.toArray(NewJob[]::new);
		this.queue.gather(jobs);
		Gathered stored = Gathered.read(ScriptFixture.bytes(stored(1)));
		assertThat(stored.size()).isEqualTo(60);
		assertThat(IntStream.range(0, 60).mapToObj(stored::score))
			.isSortedAccordingTo(Comparator.comparing(Integer::valueOf));
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5 })
	void gatherManyDoesWhatOneAfterTheOtherDo(long seed) {
		ScriptFixture other = this.queue.gatherInTwoWays(new Random(seed), 50);
		assertThat(stored(1)).isEqualTo(other.hash("payloads").get(id(1)));
	}

	@Test
	void gatherWhenEqualPayloadsWaitTakesThemAgain() {
		NewJob[] jobs = IntStream.range(0, 64)
			.mapToObj((n) -> ordered(1, Integer.toString(n), "[" + n + "]"))
			.toArray(NewJob[]::new);
		this.queue.gather(jobs);
		String before = stored(1);
		assertThat(this.queue.gather(jobs)).isEqualTo("M".repeat(64));
		assertThat(stored(1)).isEqualTo(before);
		assertThat(this.queue.has("backlog")).isFalse();
	}

	// If the run fails, its payloads return to the front, so they need room there.
	@Test
	void gatherWhenKeyRunsCountsWhatRunsAsPartOfTheFront() {
		this.queue.join(PROCESS);
		this.queue.gather(IntStream.range(0, 62)
			.mapToObj((n) -> ordered(1, Integer.toString(n), "[" + n + "]"))
			.toArray(NewJob[]::new));
		this.queue.claim(1);
		this.queue.gather(ordered(1, "70", "[70]"), ordered(1, "71", "[71]"));
		assertThat(this.queue.has("backlog")).isFalse();
		this.queue.gather(ordered(1, "72", "[72]"));
		assertThat(this.queue.sorted("backlog")).hasSize(1);
	}

	@Test
	void gatherWhenShardsHaveChangedRaisesWhatFencesRuns() {
		this.queue.gather(ordered(1, "1", "[1]"));
		this.queue.set("meta", "seq", "5");
		this.queue.gatherCall("producer/1", 1, 2, ordered(2, "1", "[1]"));
		assertThat(Long.parseLong(this.queue.hash("meta").get("seq"))).isGreaterThan(1_000_000_000_000_000L);
	}

	@Test
	void advanceForgetsCrashesOfThePayloadThatIsDone() {
		run(1, "5 [5]", "6 [6]");
		this.queue.set("crashes", id(1), "2 1 p0 alone");
		this.queue.advance(PROCESS, 1, token(1), 6);
		assertThat(this.queue.has("crashes")).isFalse();
	}

	@Test
	void exhaustWhenRepeatedAfterTheRestWasGivenOutSaysSo() {
		run(1, "5 [5]", "7 [7]");
		this.queue.exhaust(PROCESS, 1, token(1), 9, "dead", gathered(1, "7 [7]"));
		this.queue.claim(1);
		assertThat(this.queue.exhaust(PROCESS, 1, token(1), 9, "dead", gathered(1, "7 [7]"))).isEqualTo("A");
	}

	@Test
	void cancelWhenRunWasCancelledDropsWhatHasComeSince() {
		run(1, "5 [5]");
		this.queue.cancel(1);
		this.queue.gather(ordered(1, "6", "[6]"));
		assertThat(this.queue.cancel(1)).isEqualTo("RUNNING");
		this.queue.acknowledge(PROCESS, id(1), token(1));
		assertThat(this.queue.has("payloads")).isFalse();
	}

	@Test
	void gatherWhenKeyHasWrongTypeRefuses() {
		assertRefusesWrongTypes(ScriptFixture.GATHER, (given) -> given.gather(ordered(2, "1", "[2]")),
				(given) -> given.gather(ordered(1, "1", "[1]")), "meta", "payloads", "ready", "scheduled", "working",
				"gathered", "backlogged", "cancelled", "calls");
	}

	@Test
	void advanceWhenKeyHasWrongTypeRefuses() {
		assertRefusesWrongTypes(ScriptFixture.ADVANCE, (given) -> run(given, 1, "5 [5]", "6 [6]"),
				(given) -> given.advance(PROCESS, 1, token(1), 6), "working", "payloads");
	}

	@Test
	void exhaustWhenKeyHasWrongTypeRefuses() {
		assertRefusesWrongTypes(ScriptFixture.SETTLE, (given) -> run(given, 1, "5 [5]"),
				(given) -> given.exhaust(PROCESS, 1, token(1), 9, "dead", gathered(1, "7 [7]")),
				fate("working", "dead"));
	}

	@ParameterizedTest
	@CsvSource({ "ready", "scheduled", "gathered" })
	void acknowledgeWhenNextRunCannotBeStoredRefuses(String spoilt) {
		assertRefusesWrongType(spoilt, (given) -> {
			run(given, 1, "5 [5]");
			given.gather(ordered(1, "6", "[6]"));
		}, (given) -> given.acknowledge(PROCESS, id(1), token(1)));
	}

	private void run(int key, String... lines) {
		run(this.queue, key, lines);
	}

	private static void run(ScriptFixture queue, int key, String... lines) {
		queue.join(PROCESS);
		for (String line : lines) {
			String[] parts = line.split(" ", 2);
			queue.gather(ordered(key, parts[0], parts[1]));
		}
		assertThat(queue.take(1)).singleElement()
			.satisfies((job) -> assertThat(new String(job.payload()))
				.isEqualTo(payload(key) + gathered(key, lines).substring(payload(key).length())));
	}

	private String stored(int key) {
		return this.queue.hash("payloads").get(id(key));
	}

}

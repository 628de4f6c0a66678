package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.redis.QueueMonitor.DataSet;
import io.github.steadyjobs.server.Beat.Parked;
import io.github.steadyjobs.server.Beat.Suspects;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.PRODUCER_AGE;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code beat.lua}.
 */
class BeatScriptIntegrationTests extends AbstractScriptTests {

	private static final Beat FENCED = new Beat(Claim.Status.FENCED, Parked.NONE, false, Suspects.NONE, "", 0,
			new DataSet("", 0), Map.of());

	BeatScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	@DisplayName("AMB-13: each queue knows the processes that have joined it")
	void beatWhenJoiningNewQueueCreatesIt() {
		long earlier = this.queue.now();
		Beat beat = this.queue.beat("p1", true);
		assertThat(beat.status()).isEqualTo(Claim.Status.OK);
		assertThat(beat.counters()).isEqualTo(Map.of("p1", 1L));
		assertThat(beat.data().epoch()).endsWith("/p1");
		assertThat(beat.data().seq()).isBetween(earlier * 1000, (this.queue.now() + 1) * 1000);
		assertThat(this.queue.contents()).isEqualTo(Map.of("beats", Map.of("p1", "1"), "meta",
				Map.of("schema", "1", "epoch", beat.data().epoch(), "seq", Long.toString(beat.data().seq()))));
	}

	@Test
	@DisplayName("UL-09: a heartbeat returns the counters of all processes")
	void beatWhenJoiningKnownQueueKeepsItsEpoch() {
		DataSet made = this.queue.join("p1").data();
		Beat beat = this.queue.join("p2");
		assertThat(beat.counters()).isEqualTo(Map.of("p1", 1L, "p2", 1L));
		assertThat(beat.data()).isEqualTo(made);
	}

	@Test
	void beatWhenJoinedCountsUp() {
		this.queue.join("p1");
		this.queue.beat("p1", false);
		assertThat(this.queue.beat("p1", false).counters()).isEqualTo(Map.of("p1", 3L));
	}

	@Test
	void beatWhenNotJoinedAnswersFencedAndWritesNothing() {
		this.queue.join("p1");
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.beat("p2", false)).isEqualTo(FENCED);
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void beatWhenTakenForDeadAnswersFencedEvenToJoin() {
		this.queue.set("beats", "p1", "FENCED");
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.beat("p1", false)).isEqualTo(FENCED);
		assertThat(this.queue.beat("p1", true)).isEqualTo(FENCED);
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void beatWhenOtherIsFencedSaysSo() {
		this.queue.set("beats", "p1", "FENCED");
		assertThat(this.queue.join("p2").counters()).isEqualTo(Map.of("p1", Beat.FENCED_COUNTER, "p2", 1L));
	}

	@Test
	void beatWhenJoinIsRepeatedCountsUp() {
		this.queue.join("p1");
		assertThat(this.queue.join("p1").counters()).isEqualTo(Map.of("p1", 2L));
	}

	@Test
	void beatWhenSchemaIsNewerAnswersUpgradeAndWritesNothing() {
		this.queue.join("p1");
		this.queue.set("meta", "schema", "3");
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.beat("p1", false).status()).isEqualTo(Claim.Status.UPGRADE);
		assertThat(this.queue.beat("p2", true).status()).isEqualTo(Claim.Status.UPGRADE);
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void beatTellsWhatIsToBeInterruptedUntilThatIsKnown() {
		this.queue.working(1, 2);
		this.queue.join("p2");
		this.queue.cancelAndInterrupt(1);
		String first = this.queue.beat(PROCESS, false).interrupted();
		assertThat(first).isEqualTo(" " + id(1) + " " + token(1));
		assertThat(this.queue.beat("p2", false).interrupted()).isEmpty();
		this.queue.cancelAndInterrupt(2);
		Beat both = this.queue.beat(PROCESS, false, "", first);
		assertThat(both.interrupted()).isEqualTo(first + " " + id(2) + " " + token(2));
		assertThat(both.isInterrupted(new JobToken("q", PROCESS, id(2), token(2)))).isTrue();
		assertThat(both.isInterrupted(new JobToken("q", PROCESS, id(2), token(2) + "0"))).isFalse();
		assertThat(both.isInterrupted(new JobToken("q", PROCESS, id(2), token(1)))).isFalse();
		assertThat(this.queue.beat(PROCESS, false, "", both.interrupted()).interrupted()).isEmpty();
		assertThat(this.queue.hash("claims")).doesNotContainKey(PROCESS + "/!");
		this.queue.beat(PROCESS, false, "", both.interrupted());
	}

	@Test
	void beatTellsTheNumberOfChanges() {
		long before = this.queue.join("p1").data().seq();
		this.queue.enqueue(1);
		this.queue.claim("p1", 1, 1, 200);
		this.queue.acknowledge("p1", ScriptFixture.id(1), ScriptFixture.token(1));
		assertThat(this.queue.beat("p1", false).data().seq()).isEqualTo(before + 2);
	}

	@Test
	void beatWhenStateIsGivenKeepsItUntilTheNext() {
		this.queue.join("p1");
		this.queue.beat("p1", false, "stopping");
		assertThat(this.queue.hash("claims")).isEqualTo(Map.of("p1/", "stopping"));
		this.queue.beat("p1", false, "");
		assertThat(this.queue.has("claims")).isFalse();
	}

	@Test
	@DisplayName("UL-07: all processes that ever started are registered")
	void beatWhenHoldersAreUnknownMakesThemKnownToThoseWhoRecover() {
		this.queue.working(1, 2);
		this.queue.template().delete(this.queue.key("beats"));
		assertThat(this.queue.join("p2").counters()).isEqualTo(Map.of("p1", 0L, "p2", 1L));
		assertThat(this.queue.recover("p1", "0", 1000, 3).moved()).isEqualTo(2);
	}

	@Test
	void beatWhenTokensCannotBeReadMakesNobodyKnown() {
		this.queue.working(1);
		this.queue.set("working", id(1), "somebody");
		assertThat(this.queue.join("p2").counters()).containsOnlyKeys("p1", "p2");
	}

	@Test
	void beatWhenMetaIsGoneBeginsAnEpochAfterASettlement() {
		this.queue.working(1);
		long before = this.queue.beat("p1", false).data().seq();
		this.queue.template().delete(this.queue.key("meta"));
		this.queue.acknowledge("p1", id(1), ScriptFixture.token(1));
		DataSet data = this.queue.beat("p1", false).data();
		assertThat(data.epoch()).isNotEmpty();
		assertThat(data.seq()).isGreaterThan(before);
	}

	@Test
	void beatWhenHolderIsBeingRecoveredLeavesItsMark() {
		this.queue.working(1, 2);
		this.queue.recover("p1", "1", 1, 3);
		assertThat(this.queue.join("p2").counters()).containsEntry("p1", Beat.FENCED_COUNTER);
	}

	@Test
	void beatTellsNumberOfParkedJobs() {
		this.queue.working(1, 2);
		this.queue.park(1, 1, "unknown:Mail.send");
		this.queue.park(2, 2, "unknown:Mail.send");
		assertThat(this.queue.beat("p1", false).parked().now()).isEqualTo(2);
	}

	@Test
	void beatForgetsProducersThatWereNotSeenForLong() {
		long now = this.queue.now() / 1000;
		this.queue.set("calls", "old/0", "7 " + (now - PRODUCER_AGE - 60) + " S");
		this.queue.set("calls", "recent/0", "7 " + (now - PRODUCER_AGE + 60) + " S");
		this.queue.set("calls", "broken/0", "whatever");
		lookedForProducers(now - 10, now - 5);
		this.queue.join("p1");
		assertThat(this.queue.hash("calls")).containsOnlyKeys("recent/0");
	}

	@Test
	@DisplayName("Setting the clock forward does not make producers look old")
	void beatWhenTheClockJumpedForgetsNoProducerForAsLongAsTheyAreRemembered() {
		long now = this.queue.now() / 1000;
		this.queue.set("calls", "p/0", "7 " + (now - PRODUCER_AGE - 60) + " S");
		lookedForProducers(now - PRODUCER_AGE, 1);
		this.queue.join("p1");
		this.queue.beat("p1", false);
		assertThat(this.queue.hash("calls")).containsOnlyKeys("p/0");
		assertThat(this.queue.hash("meta").get("swept").split(" ")).satisfies((swept) -> {
			assertThat(Long.parseLong(swept[0])).isGreaterThanOrEqualTo(now);
			assertThat(Long.parseLong(swept[1])).isEqualTo(Long.parseLong(swept[0]) + PRODUCER_AGE);
		});
	}

	private void lookedForProducers(long at, long from) {
		this.queue.set("meta", "swept", at + " " + from);
	}

	@Test
	void beatWhenThereAreManyProducersForgetsThemInSteps() {
		long longAgo = this.queue.now() / 1000 - 2 * PRODUCER_AGE;
		Map<String, String> calls = new HashMap<>();
		IntStream.range(0, 2000).forEach((i) -> calls.put("producer/" + i, "1 " + longAgo + " S"));
		this.queue.template().opsForHash().putAll(this.queue.key("calls"), calls);
		lookedForProducers(this.queue.now() / 1000, 1);
		this.queue.join("p1");
		assertThat(this.queue.hash("calls").size()).isBetween(1700, 1950);
		assertThat(this.queue.hash("meta")).containsKey("sweep");
		for (int i = 0; i < 60; i++) {
			this.queue.beat("p1", false);
		}
		assertThat(this.queue.has("calls")).isFalse();
	}

	@Test
	void beatWhenDeadAreTooOldEndsThem() {
		dead(this.queue, 1, 4);
		this.queue.set("crashes", id(2), "1 1700000000000 p0");
		assertRepeatableAfterwards(() -> this.queue.beatKeeping(10, HOUR + HOUR / 2));
		assertThat(this.queue.sorted("dead")).containsExactly(ids(4));
		assertThat(this.queue.hash("payloads")).containsOnlyKeys(id(4));
		assertThat(this.queue.has("crashes")).isFalse();
		assertThat(this.queue.stat("trimmed")).isEqualTo(3);
	}

	@Test
	void beatWhenDeadAreTooManyEndsTheOldest() {
		dead(this.queue, 1, 4);
		assertRepeatableAfterwards(() -> this.queue.beatKeeping(2, 9 * HOUR));
		assertThat(this.queue.sorted("dead")).containsExactly(ids(3, 4));
	}

	@Test
	void beatWhenDeadAreNeitherTooOldNorTooManyKeepsThem() {
		dead(this.queue, 1, 4);
		this.queue.beatKeeping(4, 9 * HOUR);
		assertThat(this.queue.sorted("dead")).containsExactly(ids(1, 2, 3, 4));
		assertThat(this.queue.stat("trimmed")).isZero();
	}

	@Test
	void beatWhenFarTooManyAreTooOldEndsHundredOfThem() {
		dead(this.queue, 1, 250);
		this.queue.beatKeeping(1000, HOUR / 2);
		assertThat(this.queue.sorted("dead")).hasSize(150).startsWith(id(101));
		this.queue.beatKeeping(1000, HOUR / 2);
		this.queue.beatKeeping(1000, HOUR / 2);
		assertThat(this.queue.contents()).doesNotContainKeys("dead", "payloads");
	}

	@Test
	@DisplayName("AMB-10: whatever ends a job releases its lock, even a lock that was left behind when the job died")
	void beatWhenDeadHasALockEndsThatToo() {
		this.queue.join(PROCESS);
		this.queue.enqueue(ScriptFixture.locked(1, LockKind.UNTIL_EXECUTED_AND_ONCE_MORE, "d"));
		this.queue.claim(1);
		this.queue.enqueue(ScriptFixture.locked(2, LockKind.UNTIL_EXECUTED_AND_ONCE_MORE, "d"));
		this.queue.template().delete(this.queue.key("working"));
		this.queue.put("dead", 1);
		this.queue.template().opsForZSet().add(this.queue.key("dead"), id(1), 1);
		this.queue.beatKeeping(1, HOUR);
		assertThat(this.queue.ready()).containsExactly(id(2));
		assertThat(this.queue.hash("lockof")).containsOnlyKeys(id(2));
	}

	@Test
	void beatWhenFencedOrOutdatedEndsNoDeadJob() {
		dead(this.queue, 1, 2);
		this.queue.set("beats", PROCESS, "FENCED");
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.beatKeeping(0, 0)).isEqualTo(FENCED);
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void beatWhenTypeIsWrongRefuses() {
		assertRefusesWrongTypes(ScriptFixture.BEAT, (queue) -> dead(queue, 1, 2), (queue) -> queue.beatKeeping(1, HOUR),
				"beats");
	}

	/**
	 * Add jobs that died one hour apart, the last of them an hour ago.
	 */
	private static void dead(ScriptFixture queue, int from, int to) {
		queue.working(IntStream.rangeClosed(from, to).toArray());
		for (int job = from; job <= to; job++) {
			queue.bury(job, job, 10_000, 1000 * HOUR);
			queue.template()
				.opsForZSet()
				.add(queue.key("dead"), id(job), queue.now() - Math.max(1, to + 1 - job) * HOUR);
		}
	}

	/**
	 * Check that a repeated heartbeat increments the counter and changes nothing else.
	 */
	private void assertRepeatableAfterwards(Runnable beat) {
		beat.run();
		Map<String, Object> once = this.queue.contents();
		beat.run();
		Map<String, Object> twice = this.queue.contents();
		once.remove("beats");
		twice.remove("beats");
		assertThat(twice).isEqualTo(once);
	}

	@Test
	void beatWhenThereAreSuspectsSaysForHowLongTheNextOneHasWaited() {
		this.queue.join(PROCESS);
		assertThat(this.queue.beat(PROCESS, false).suspects()).isEqualTo(Suspects.NONE);
		this.queue.set("payloads", id(1), "{}");
		this.queue.set("payloads", id(2), "{}");
		this.queue.template().opsForList().leftPushAll(this.queue.key("suspects"), id(1), id(2));
		this.queue.set("crashes", id(1), "2 " + (this.queue.now() - 700_000) + " p alone");
		this.queue.set("crashes", id(2), "2 " + this.queue.now() + " p alone");
		Suspects suspects = this.queue.beat(PROCESS, false).suspects();
		assertThat(suspects.count()).isEqualTo(2);
		assertThat(suspects.waited()).isBetween(Duration.ofSeconds(700), Duration.ofSeconds(720));
		this.queue.set("meta", "paused", "1 0 -");
		assertThat(this.queue.beat(PROCESS, false).suspects()).isEqualTo(Suspects.NONE);
		this.queue.set("crashes", id(1), "damaged");
		this.queue.template().opsForHash().delete(this.queue.key("meta"), "paused");
		assertThat(this.queue.beat(PROCESS, false).suspects()).isEqualTo(new Suspects(2, Duration.ZERO));
	}

}

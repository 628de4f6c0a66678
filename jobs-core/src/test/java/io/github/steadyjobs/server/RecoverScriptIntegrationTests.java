package io.github.steadyjobs.server;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.steadyjobs.server.RecoveryStep.Doomed;
import io.github.steadyjobs.server.RecoveryStep.Status;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.server.ScriptFixture.CAPSULE;
import static io.github.steadyjobs.server.ScriptFixture.PROCESS;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.payload;
import static io.github.steadyjobs.server.ScriptFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code recover.lua} (UL-08).
 */
class RecoverScriptIntegrationTests extends AbstractScriptTests {

	RecoverScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	// A dead process

	@Test
	@DisplayName("UL-10: recovered jobs return to the head of the queue")
	void recoverWhenCounterStoodStillPutsTheOldestFirst() {
		this.queue.working(1, 2, 3);
		this.queue.enqueue(4);
		assertThat(this.queue.recover(PROCESS)).isEqualTo(new RecoveryStep(Status.OK, 3, 0, List.of()));
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 3, 4));
		assertThat(this.queue.contents()).doesNotContainKeys("working", "beats", "claims");
		assertThat(this.queue.stat("recovered")).isEqualTo(3);
		assertThat(this.queue.stat("crashed")).isEqualTo(3);
		assertThat(this.queue.stat("released")).isZero();
	}

	@Test
	void recoverWhenProcessHasBeatenSinceLeavesItAlone() {
		this.queue.working(1);
		this.queue.beat(PROCESS, false);
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.recover(PROCESS).status()).isEqualTo(Status.ALIVE);
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void recoverWhenProcessIsUnknownDoesNothing() {
		this.queue.working(1);
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.recover("p2").status()).isEqualTo(Status.GONE);
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void recoverWhenOthersWorkTooLeavesThemAlone() {
		this.queue.working(1);
		this.queue.join("p10");
		this.queue.enqueue(2);
		this.queue.claim("p10", 1, 1, 200);
		this.queue.recover(PROCESS);
		assertThat(this.queue.hash("working")).isEqualTo(Map.of(id(2), "p10/" + token(1)));
		assertThat(this.queue.hash("beats")).containsOnlyKeys("p10");
		assertThat(this.queue.hash("claims")).containsOnlyKeys("p10/" + CAPSULE);
	}

	@Test
	@DisplayName("UL-11: recovery continues until nothing is left, for every queue")
	void recoverWhenMoreJobsThanLimitFencesTheProcessUntilTheLastStep() {
		this.queue.working(1, 2, 3, 4, 5);
		assertThat(this.queue.recover(PROCESS, "1", 2, 3)).isEqualTo(new RecoveryStep(Status.OK, 2, 3, List.of()));
		assertThat(this.queue.hash("beats")).containsEntry(PROCESS, "FENCED");
		assertThat(this.queue.beat(PROCESS, false).status()).isEqualTo(Claim.Status.FENCED);
		assertThat(this.queue.claim(1).status()).isEqualTo(Claim.Status.FENCED);
		// Any process may continue the recovery, whatever counter it has observed.
		assertThat(this.queue.recover(PROCESS, "77", 2, 3).moved()).isEqualTo(2);
		assertThat(this.queue.recover(PROCESS, "FENCED", 2, 3)).isEqualTo(new RecoveryStep(Status.OK, 1, 0, List.of()));
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 3, 4, 5));
		assertThat(this.queue.has("beats")).isFalse();
	}

	@Test
	void recoverWhenThereAreThousandsOfJobsTakesSteps() {
		this.queue.join(PROCESS);
		for (int from = 1; from < 2500; from += 500) {
			this.queue.enqueue(ScriptFixture.jobs(from, from + 499));
			this.queue.claim(PROCESS, from, 500, 500);
		}
		assertThat(this.queue.recover(PROCESS).left()).isEqualTo(1500);
		assertThat(this.queue.recover(PROCESS).left()).isEqualTo(500);
		assertThat(this.queue.recover(PROCESS)).isEqualTo(new RecoveryStep(Status.OK, 500, 0, List.of()));
		assertThat(this.queue.ready()).containsExactly(ids(IntStream.rangeClosed(1, 2500).toArray()));
	}

	@Test
	@DisplayName("UL-12: only one process recovers at a time")
	void recoverWhenRepeatedChangesNothing() {
		this.queue.working(1, 2);
		assertRepeatable(() -> this.queue.recover(PROCESS));
		assertThat(this.queue.recover(PROCESS).status()).isEqualTo(Status.GONE);
	}

	@Test
	void recoverLeavesTokensUnlessPaused() {
		this.queue.working(1, 2, 3, 4);
		this.queue.recover(PROCESS);
		assertThat(this.queue.list("wake")).hasSize(3);
		ScriptFixture paused = this.queue.sibling().working(1);
		paused.pause();
		paused.recover(PROCESS);
		assertThat(paused.ready()).containsExactly(id(1));
		assertThat(paused.has("wake")).isFalse();
	}

	@Test
	void recoverWhenJobWasCancelledMeanwhileEndsIt() {
		this.queue.working(1, 2);
		this.queue.cancel(1);
		this.queue.recover(PROCESS);
		assertThat(this.queue.ready()).containsExactly(id(2));
		assertThat(this.queue.has("cancelled")).isFalse();
	}

	// Late calls of the dead process

	@Test
	void settlementsOfTheDeadProcessChangeNothing() {
		this.queue.working(1, 2, 3, 4, 5);
		this.queue.recover(PROCESS);
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.acknowledge(PROCESS, id(1), token(1))).isEqualTo("A");
		assertThat(this.queue.retry(2, 2, 1)).isEqualTo("A");
		assertThat(this.queue.bury(3, 3, 10, 1000)).isEqualTo("A");
		assertThat(this.queue.requeue(PROCESS, id(4), token(4))).isEqualTo("A");
		assertThat(this.queue.park(5, 5, "unknown:x")).isEqualTo("A");
		assertThat(this.queue.claim(5).status()).isEqualTo(Claim.Status.FENCED);
		assertThat(this.queue.beat(PROCESS, false).status()).isEqualTo(Claim.Status.FENCED);
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void settlementsOfTheDeadProcessAreStaleWhenItHasClaimedTheJobsAgain() {
		this.queue.working(1, 2, 3, 4, 5);
		this.queue.recover(PROCESS);
		this.queue.join("p1b");
		assertThat(this.queue.claim("p1b", 1, 5, 200).jobs()).hasSize(5);
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.acknowledge(PROCESS, id(1), token(1))).isEqualTo("S");
		assertThat(this.queue.retry(2, 2, 1)).isEqualTo("S");
		assertThat(this.queue.bury(3, 3, 10, 1000)).isEqualTo("S");
		assertThat(this.queue.requeue(PROCESS, id(4), token(4))).isEqualTo("S");
		assertThat(this.queue.park(5, 5, "unknown:x")).isEqualTo("S");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	// Crashes, suspects and interruptions

	@Test
	void recoverCountsTheCrashOfEachJobWithTimeAndProcess() {
		this.queue.working(1);
		long earlier = this.queue.now();
		this.queue.recover(PROCESS);
		String[] crash = this.queue.hash("crashes").get(id(1)).split(" ");
		assertThat(crash[0]).isEqualTo("1");
		assertThat(Long.parseLong(crash[1])).isBetween(earlier, this.queue.now());
		assertThat(crash[2]).isEqualTo(PROCESS);
	}

	@Test
	void recoverWhenProcessesDiedTwiceWithAJobMakesItASuspect() {
		crash(1, 2);
		assertThat(this.queue.list("suspects")).containsExactly(id(1));
		assertThat(this.queue.has("ready")).isFalse();
	}

	@Test
	void recoverWhenProcessesDiedThreeTimesLeavesTheJobToBeBuried() {
		crash(1, 2);
		this.queue.join("q3");
		assertThat(this.queue.claimSuspect("q3", 1).jobs()).hasSize(1);
		RecoveryStep third = this.queue.recover("q3");
		assertThat(third.moved()).isZero();
		assertThat(third.left()).isOne();
		Doomed doomed = third.doomed().get(0);
		assertThat(doomed.crashes()).isEqualTo(3);
		assertThat(new String(doomed.payload())).isEqualTo(payload(1));
		assertThat(doomed.token()).isEqualTo(new JobToken(this.queue.queue(), "q3", id(1), CAPSULE + "/1"));
		assertRepeatable(() -> this.queue.recover("q3"));
		assertThat(this.queue.bury("q3", 1, doomed.token().claim(), "died thrice", 10, 1000)).isEqualTo("D");
		assertThat(this.queue.recover("q3")).isEqualTo(new RecoveryStep(Status.OK, 0, 0, List.of()));
		assertThat(this.queue.sorted("dead")).containsExactly(id(1));
		assertThat(this.queue.contents()).doesNotContainKeys("crashes", "working", "beats", "suspects");
	}

	@Test
	void recoverWhenStepsAreSmallCountsOneCrashForEachJob() {
		this.queue.enqueue(1, 2, 3);
		this.queue.join(PROCESS);
		this.queue.claim(3);
		for (int step = 0; step < 3; step++) {
			this.queue.recover(PROCESS, "1", 1, 9);
		}
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 3));
		assertThat(this.queue.hash("crashes").values()).allMatch((crash) -> crash.startsWith("1 "));
	}

	@Test
	void recoverWhenProcessWasStoppingCountsNoCrash() {
		this.queue.working(1, 2);
		this.queue.beat(PROCESS, false, "stopping");
		assertThat(this.queue.recover(PROCESS, "2", 1000, 1).moved()).isEqualTo(2);
		assertThat(this.queue.contents()).doesNotContainKeys("crashes", "claims", "suspects");
		assertThat(this.queue.stat("crashed")).isZero();
	}

	@Test
	void recoverWhenSuspectWasNotToBlameKeepsItASuspect() {
		crash(1, 2);
		this.queue.join("q3");
		this.queue.claimSuspect("q3", 1);
		this.queue.beat("q3", false, "stopping");
		this.queue.recover("q3", "2", 1000, 3);
		assertThat(this.queue.list("suspects")).containsExactly(id(1));
	}

	@Test
	void recoverWhenLimitIsOneBuriesAtTheFirstCrash() {
		this.queue.working(1);
		assertThat(this.queue.recover(PROCESS, "1", 1000, 1).doomed()).hasSize(1);
	}

	@Test
	void recoverWhenLimitIsTwoSuspectsAtTheFirstCrash() {
		this.queue.working(1);
		this.queue.recover(PROCESS, "1", 1000, 2);
		assertThat(this.queue.list("suspects")).containsExactly(id(1));
	}

	@Test
	void endOfAJobForgetsItsCrashes() {
		crash(1, 1);
		this.queue.join("q3");
		this.queue.claim("q3", 1, 1, 200);
		this.queue.acknowledge("q3", id(1), token(1));
		assertThat(this.queue.has("crashes")).isFalse();
		crash(2, 1);
		this.queue.cancel(2);
		assertThat(this.queue.has("crashes")).isFalse();
		this.queue.claim("q3", 2, 1, 200);
	}

	// Jobs that may run at most once

	@Test
	void recoverWhenJobMayRunOnceLeavesItToBeBuried() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1);
		this.queue.claimOnce(1);
		RecoveryStep recovery = this.queue.recover(PROCESS);
		assertThat(recovery.doomed()).singleElement().satisfies((doomed) -> {
			assertThat(doomed.crashes()).isZero();
			assertThat(doomed.token().isOnce()).isTrue();
		});
		assertThat(this.queue.hash("working")).containsEntry(id(1), PROCESS + "/" + CAPSULE + "/1o");
		this.queue.bury(PROCESS, 1, CAPSULE + "/1o", "may have run", 10, 1000);
		assertThat(this.queue.recover(PROCESS).left()).isZero();
	}

	// A process that leaves

	@Test
	void leaveReturnsJobsUncounted() {
		this.queue.working(1, 2, 3);
		this.queue.enqueue(4);
		assertThat(this.queue.leave(PROCESS, 1000)).isEqualTo(new RecoveryStep(Status.OK, 3, 0, List.of()));
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 3, 4));
		assertThat(this.queue.contents()).doesNotContainKeys("working", "beats", "claims", "crashes");
		assertThat(this.queue.stat("released")).isEqualTo(3);
	}

	@Test
	void leaveWhenSeveralCapsulesWorkedRemovesAllTheirClaims() {
		this.queue.working(1);
		this.queue.claim(PROCESS, "other", 1, 1, 200);
		this.queue.leave(PROCESS, 1000);
		assertThat(this.queue.has("claims")).isFalse();
	}

	@Test
	void leaveWhenJobMayRunOnceLeavesItToBeBuried() {
		this.queue.join(PROCESS);
		this.queue.enqueue(1);
		this.queue.claimOnce(1);
		assertThat(this.queue.leave(PROCESS, 1000).doomed()).hasSize(1);
	}

	@Test
	void leaveWhenNeverJoinedDoesNothing() {
		assertThat(this.queue.leave(PROCESS, 1000).status()).isEqualTo(Status.GONE);
		assertThat(this.queue.contents()).isEmpty();
	}

	@Test
	void leaveWhenRepeatedChangesNothing() {
		this.queue.working(1, 2);
		assertRepeatable(() -> this.queue.leave(PROCESS, 1000));
	}

	@Test
	void recoverWhenTypeIsWrongRefusesOrGoesOn() {
		assertRefusesWrongTypes(ScriptFixture.RECOVER, (queue) -> queue.working(1), (queue) -> queue.recover(PROCESS),
				fate("beats", "claims", "working"));
	}

	/**
	 * Let several processes die, one after the other, while they hold the same job.
	 */
	private void crash(int job, int times) {
		this.queue.enqueue(job);
		for (int i = 1; i <= times; i++) {
			this.queue.join("q" + i);
			assertThat(this.queue.claim("q" + i, 1, 1, 200).jobs()).hasSize(1);
			assertThat(this.queue.recover("q" + i).left()).isZero();
		}
	}

}

package io.github.steadyjobs.benchmarks.chaos;

import io.github.steadyjobs.benchmarks.chaos.Incident.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeyOrderCheck}. Versions 1 and 2 of key "a" are jobs 1 and 2. A
 * process that is silent for 20 s may have been declared dead.
 */
class KeyOrderCheckTests {

	private final Histories history = new Histories().pushed(1, "a", 1, 0, 10).pushed(2, "a", 2, 20, 30);

	@Test
	void verdictWhenVersionsRanByOneClaimInOrderFindsNothing() {
		KeyOrder order = this.history.ran(1, 0, 7, 100, 200).ran(2, 0, 7, 200, 300).order();
		assertThat(order.isKept()).isTrue();
		assertThat(order.payloads()).isEqualTo(2);
		assertThat(order.runs()).isOne();
	}

	@Test
	void verdictWhenVersionsRanByOneClaimInWrongOrderIsViolation() {
		KeyOrder order = this.history.ran(2, 0, 7, 100, 200).ran(1, 0, 7, 200, 300).order();
		assertThat(order.violations()).singleElement()
			.asString()
			.contains("version 1 of a", "began after version 2 of a");
		assertThat(order.isKept()).isFalse();
	}

	@Test
	void verdictWhenVersionsOfOneClaimBeganInOneMillisecondGoesByTheLog() {
		assertThat(this.history.ran(1, 0, 7, 100, 100).ran(2, 0, 7, 100, 100).order().isKept()).isTrue();
		assertThat(this.history.ran(1, 0, 7, 100, 100).order().violations()).hasSize(1);
	}

	@Test
	void verdictWhenOlderVersionWasStoredBeforeTheNewerOneWasPushedAndRanAfterItIsViolation() {
		assertThat(this.history.ran(2, 0, 7, 100, 200).ran(1, 1, 8, 300, 400).order().violations()).hasSize(1);
	}

	@Test
	void verdictWhenOlderVersionWasStoredDuringTheRunBeforeAndRanAfterTheNewerOneIsViolation() {
		assertThat(during(150).ran(1, 0, 8, 300, 400).ran(2, 0, 9, 500, 600).order().violations()).hasSize(1);
	}

	@Test
	void verdictWhenOlderVersionMayHaveComeAfterTheClaimOfTheNewerOneFindsNothing() {
		assertThat(during(201).ran(1, 0, 8, 300, 400).ran(2, 0, 9, 500, 600).order().isKept()).isTrue();
	}

	@Test
	void verdictWhenOlderVersionMayHaveComeBetweenTheClaimAndABriefRunFindsNothing() {
		Histories brief = new Histories().pushed(1, "a", 2, 0, 10)
			.pushed(2, "a", 1, 5, 40)
			.ran(1, 0, 7, 50, 50)
			.ran(2, 0, 8, 60, 60);
		assertThat(brief.order().isKept()).isTrue();
	}

	/**
	 * Push job 1 and then job 2 while an earlier payload runs until time 200. Job 2 has
	 * the older version, and its push is answered at the given time.
	 */
	private static Histories during(long answered) {
		return new Histories().pushed(3, "a", 3, 0, 10)
			.ran(3, 0, 7, 100, 200)
			.pushed(1, "a", 5, 110, 120)
			.pushed(2, "a", 4, 130, answered);
	}

	@Test
	void verdictWhenNobodyAnsweredThePushOfTheOlderVersionFindsNothing() {
		Histories unanswered = new Histories().unansweredPayload(1, "a", 1, 0, 10)
			.pushed(2, "a", 2, 20, 30)
			.ran(2, 0, 7, 100, 200)
			.ran(1, 1, 8, 300, 400);
		assertThat(unanswered.order().isKept()).isTrue();
		assertThat(unanswered.order().payloads()).isEqualTo(2);
	}

	@Test
	void verdictWhenPayloadRunsAgainAfterItsProcessWasKilledFindsNothing() {
		Histories killed = this.history.ran(1, 0, 7, 100, 200)
			.incident(Kind.KILLED, 0, 200, 200)
			.ran(1, 1, 8, 30_000, 30_100)
			.ran(2, 1, 8, 30_100, 30_200);
		assertThat(killed.order().isKept()).isTrue();
	}

	@Test
	void verdictWhenDonePayloadRunsAgainAfterANewerOneWasCutShortIsViolation() {
		Histories killed = this.history.ran(1, 0, 7, 100, 200)
			.ran(2, 0, 7, 200, Run.NEVER)
			.incident(Kind.KILLED, 0, 250, 250)
			.ran(1, 1, 8, 30_000, 30_100)
			.ran(2, 1, 8, 30_100, 30_200);
		assertThat(killed.order().violations()).hasSize(1);
		assertThat(killed.order().atOnce()).isEmpty();
	}

	@Test
	void verdictWhenRedisForgotTheClaimOfTheNewerOneFindsNothing() {
		Histories forgotten = this.history.ran(1, 0, 7, 100, 200)
			.ran(2, 0, 7, 200, 300)
			.incident(Kind.FORGOTTEN, Incident.ALL, 250, 1000)
			.ran(1, 1, 8, 30_000, 30_100)
			.ran(2, 1, 8, 30_100, 30_200);
		assertThat(forgotten.order().isKept()).isTrue();
	}

	@Test
	void verdictWhenRedisForgotTheClaimOfARunThatGoesOnFindsNothing() {
		Histories forgotten = this.history.ran(1, 0, 7, 100, 2000)
			.incident(Kind.FORGOTTEN, Incident.ALL, 50, 1000)
			.ran(1, 1, 8, 1500, 1600);
		assertThat(forgotten.order().isKept()).isTrue();
	}

	@Test
	void verdictWhenRedisForgotNothingOfTheNewerOneIsViolation() {
		Histories kept = this.history.ran(2, 0, 7, 100, 200)
			.incident(Kind.FORGOTTEN, Incident.ALL, 40_000, 41_000)
			.ran(1, 1, 8, 20_000, 20_100);
		assertThat(kept.order().violations()).hasSize(1);
	}

	@Test
	void verdictWhenPayloadsOfOneKeyRunBesideEachOtherFindsKeyAtOnce() {
		KeyOrder order = this.history.ran(1, 0, 7, 100, 200).ran(2, 1, 8, 199, 300).order();
		assertThat(order.atOnce()).singleElement().asString().contains("version 2 of a", "while version 1 of a");
		assertThat(order.violations()).isEmpty();
		assertThat(order.isKept()).isFalse();
	}

	@Test
	void verdictWhenPayloadRunsTwiceAtOnceFindsKeyAtOnce() {
		assertThat(this.history.ran(1, 0, 7, 100, 200).ran(1, 1, 8, 150, 250).order().atOnce()).hasSize(1);
	}

	@Test
	void verdictWhenPayloadsOfDifferentKeysRunBesideEachOtherFindsNothing() {
		Histories two = this.history.pushed(3, "b", 1, 0, 10).ran(1, 0, 7, 100, 200).ran(3, 0, 8, 100, 200);
		assertThat(two.order().isKept()).isTrue();
	}

	@Test
	void verdictWhenProcessWasKilledDoesNotTakeItsRunForOneThatGoesOn() {
		Histories killed = this.history.ran(1, 0, 7, 100, Run.NEVER)
			.incident(Kind.KILLED, 0, 150, 150)
			.ran(1, 1, 8, 30_000, 30_100);
		assertThat(killed.order().isKept()).isTrue();
	}

	@Test
	void verdictWhenKilledProcessLosesItsKeyBeforeItsDeathFindsKeyAtOnce() {
		Histories killed = this.history.ran(1, 0, 7, 100, Run.NEVER)
			.incident(Kind.KILLED, 0, 150, 150)
			.ran(1, 1, 8, 149, 300);
		assertThat(killed.order().atOnce()).hasSize(1);
	}

	@Test
	void verdictWhenPausedProcessRunsWhatItHasLostFindsNothing() {
		Histories paused = this.history.incident(Kind.PAUSED, 0, 150, 45_000)
			.ran(1, 1, 8, 31_000, 31_100)
			.ran(2, 1, 8, 31_100, 46_000)
			.ran(1, 0, 7, 45_001, 45_500);
		assertThat(paused.order().isKept()).isTrue();
	}

	@Test
	void verdictWhenPausedProcessBeginsWhatItHasLostBeforeItsHolderFindsNothing() {
		Histories paused = this.history.ran(1, 0, 7, 100, 45_001)
			.incident(Kind.PAUSED, 0, 150, 45_000)
			.ran(2, 0, 7, 45_002, 45_100)
			.ran(1, 1, 8, 45_200, 45_300)
			.ran(2, 1, 8, 45_300, 45_400);
		assertThat(paused.order().isKept()).isTrue();
	}

	@Test
	void verdictWhenPausedProcessLosesItsKeyTooSoonFindsKeyAtOnce() {
		Histories paused = this.history.ran(1, 0, 7, 100, 45_500)
			.incident(Kind.PAUSED, 0, 150, 45_000)
			.ran(1, 1, 8, 20_000, 20_100);
		assertThat(paused.order().atOnce()).hasSize(1);
	}

	@Test
	void verdictWhenClaimOfPausedProcessBeginsLateDoesNotTakeItForALateClaim() {
		Histories paused = new Histories().pushed(1, "a", 2, 0, 10)
			.incident(Kind.PAUSED, 0, 50, 45_000)
			.ran(1, 1, 8, 31_000, 31_100)
			.pushed(2, "a", 1, 31_010, 31_020)
			.ran(1, 0, 7, 45_001, 45_100)
			.ran(2, 1, 9, 45_200, 45_300);
		assertThat(paused.order().isKept()).isTrue();
	}

}

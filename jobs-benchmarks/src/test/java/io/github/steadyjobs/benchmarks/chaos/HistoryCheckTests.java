package io.github.steadyjobs.benchmarks.chaos;

import io.github.steadyjobs.benchmarks.chaos.Incident.Kind;
import io.github.steadyjobs.benchmarks.chaos.Verdict.Duplicates;
import io.github.steadyjobs.benchmarks.chaos.Verdict.Recovery;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HistoryCheck}.
 */
class HistoryCheckTests {

	private final Histories history = new Histories().accepted(1);

	@Test
	void verdictWhenEveryJobRanOnceFindsNothing() {
		assertThat(this.history.done(1, 0, 100, 200).verdict())
			.isEqualTo(new Verdict(1, 1, 0, 0, 0, 0, 0, new Duplicates(0, 0, 0), new Recovery(0, 0, 0)));
	}

	@Test
	void verdictWhenAcceptedJobNeitherRanNorIsAnywhereIsLost() {
		assertThat(this.history.verdict().lost()).isOne();
	}

	@Test
	void verdictWhenAcceptedJobOnlyBeganIsLost() {
		assertThat(this.history.cutShort(1, 0, 100).verdict().lost()).isOne();
	}

	@Test
	void verdictWhenRedisForgotThePushDoesNotCountTheJobAsLost() {
		Verdict verdict = this.history.incident(Kind.FORGOTTEN, Incident.ALL, 5, 500).verdict();
		assertThat(verdict.lost()).isZero();
		assertThat(verdict.forgotten()).isOne();
	}

	@Test
	void verdictWhenRedisForgotSomethingLaterThanThePushIsLost() {
		Verdict verdict = this.history.incident(Kind.FORGOTTEN, Incident.ALL, 20, 500).verdict();
		assertThat(verdict.lost()).isOne();
		assertThat(verdict.forgotten()).isZero();
	}

	@Test
	void verdictWhenRedisForgotTheEndOfARunExplainsAnotherOne() {
		Verdict verdict = this.history.done(1, 0, 100, 200)
			.incident(Kind.FORGOTTEN, Incident.ALL, 150, 500)
			.done(1, 1, 60_000, 60_100)
			.verdict();
		assertThat(verdict.duplicates()).isEqualTo(new Duplicates(1, 0, 0));
	}

	@Test
	void verdictWhenJobStillWaitsIsStuck() {
		Verdict verdict = this.history.live("id1").verdict();
		assertThat(verdict.stuck()).isOne();
		assertThat(verdict.lost()).isZero();
	}

	@Test
	void verdictWhenJobRanAndIsStillThereIsStuck() {
		assertThat(this.history.done(1, 0, 100, 200).live("id1").verdict().stuck()).isOne();
	}

	@Test
	void verdictWhenJobIsDeadIsNotLost() {
		Verdict verdict = this.history.dead(1).verdict();
		assertThat(verdict.dead()).isOne();
		assertThat(verdict.lost()).isZero();
	}

	@Test
	void verdictWhenPushWasNotAnsweredAndJobIsNowhereExpectsNothing() {
		Verdict verdict = new Histories().unanswered(1).verdict();
		assertThat(verdict.unknown()).isOne();
		assertThat(verdict.accepted()).isZero();
		assertThat(verdict.lost()).isZero();
	}

	@Test
	void verdictWhenPushWasNotAnsweredAndJobBeganExpectsItToEnd() {
		Verdict verdict = new Histories().unanswered(1).cutShort(1, 0, 100).verdict();
		assertThat(verdict.accepted()).isOne();
		assertThat(verdict.lost()).isOne();
	}

	@Test
	void verdictWhenJobRanTwiceWithoutFaultIsUnexplained() {
		assertThat(this.history.done(1, 0, 100, 200).done(1, 1, 300, 400).verdict().duplicates())
			.isEqualTo(new Duplicates(0, 0, 1));
	}

	@Test
	void verdictWhenJobRanAgainAfterItsProcessWasKilledBlamesFault() {
		Histories killed = this.history.done(1, 0, 100, 200)
			.incident(Kind.KILLED, 0, 250, 250)
			.done(1, 1, 30_000, 30_100);
		assertThat(killed.verdict().duplicates()).isEqualTo(new Duplicates(1, 0, 0));
	}

	@Test
	void verdictWhenOneFaultIsToExplainTwoDuplicatesExplainsOne() {
		Histories killed = this.history.done(1, 0, 100, 200)
			.incident(Kind.KILLED, 0, 250, 250)
			.done(1, 1, 30_000, 30_100)
			.done(1, 2, 30_000, 30_100);
		assertThat(killed.verdict().duplicates()).isEqualTo(new Duplicates(1, 0, 1));
	}

	@Test
	void verdictWhenAnotherProcessWasKilledDoesNotBlameThat() {
		Histories killed = this.history.done(1, 0, 100, 200).incident(Kind.KILLED, 2, 150, 150).done(1, 1, 300, 400);
		assertThat(killed.verdict().duplicates()).isEqualTo(new Duplicates(0, 0, 1));
	}

	@Test
	void verdictWhenPushWasCutAndJobRanTwiceBlamesPush() {
		Histories cut = this.history.incident(Kind.CUT_OFF, Histories.PRODUCER, 5, 8)
			.done(1, 0, 100, 200)
			.done(1, 1, 300, 400);
		assertThat(cut.verdict().duplicates()).isEqualTo(new Duplicates(0, 1, 0));
	}

	@Test
	void verdictWhenPushMadeTwoJobsBlamesPushWhateverHappenedToWorker() {
		Histories twins = this.history.done(1, 0, 100, 200)
			.incident(Kind.KILLED, 0, 150, 150)
			.run(1, "twin", 1, 300, 400);
		assertThat(twins.verdict().duplicates()).isEqualTo(new Duplicates(0, 1, 0));
	}

	@Test
	void verdictWhenPausedProcessEndsJobThatIsRunningElsewhereCountsLateEnd() {
		Histories paused = this.history.done(1, 0, 100, 45_000)
			.incident(Kind.PAUSED, 0, 150, 44_990)
			.done(1, 1, 31_000, 46_000);
		assertThat(paused.verdict().recovery().lateEnds()).isOne();
		assertThat(paused.verdict().duplicates()).isEqualTo(new Duplicates(1, 0, 0));
	}

	@Test
	void verdictWhenJobsRunAgainAfterKillTellsHowLongItTook() {
		Histories killed = this.history.accepted(2)
			.cutShort(1, 0, 100)
			.cutShort(2, 0, 120)
			.incident(Kind.KILLED, 0, 150, 150)
			.done(1, 1, 31_150, 31_200)
			.done(2, 1, 35_150, 35_200);
		assertThat(killed.verdict().recovery()).isEqualTo(new Recovery(2, 35_000, 0));
	}

}

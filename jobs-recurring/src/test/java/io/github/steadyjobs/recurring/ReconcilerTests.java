package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;

import io.github.steadyjobs.recurring.Declarations.Effective;
import io.github.steadyjobs.recurring.RecurringState.LastTick;
import io.github.steadyjobs.recurring.RecurringState.Origin;
import io.github.steadyjobs.recurring.RecurringState.Pause;
import io.github.steadyjobs.recurring.RecurringTick.Decision;
import io.github.steadyjobs.recurring.TickStore.State;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the decisions of {@link Reconciler}.
 */
class ReconcilerTests {

	private static final Instant TICK = Instant.parse("2026-01-01T00:00:00Z");

	private static final Instant NOW = TICK.plus(Duration.ofMinutes(25));

	private static final LastTick LAST = new LastTick(TICK, TICK, Decision.ENQUEUED, null, null, Duration.ZERO);

	private static final RecurringJob JOB = RecurringJob.of("r", "Work.run", "work",
			Schedule.every(Duration.ofMinutes(10)).from(TICK));

	@Test
	void wantedWhenItIsNewBeginsWithTheNextTick() {
		assertThat(wanted(JOB, null, State.NONE)).isEqualTo(new State(minutes(30), "new", null));
	}

	@Test
	void wantedWhenItIsInForceIsWhatItIs() {
		State known = new State(minutes(10), "new", LAST);
		assertThat(wanted(JOB, null, known)).isSameAs(known);
	}

	@Test
	void wantedWhenTicksWereMissedKeepsThem() {
		assertThat(wanted(JOB, null, new State(minutes(10), "old", LAST)))
			.isEqualTo(new State(minutes(10), "new", LAST));
	}

	@Test
	void wantedWhenTheNextTickIsToComeComputesItAnew() {
		assertThat(wanted(JOB, null, new State(minutes(57), "old", null)).next()).isEqualTo(minutes(30));
	}

	@Test
	void wantedWhenThatTickWasHandledIsTheOneAfterIt() {
		LastTick early = new LastTick(minutes(30), NOW, Decision.ENQUEUED, null, null, Duration.ZERO);
		assertThat(wanted(JOB, null, new State(minutes(57), "old", early)).next()).isEqualTo(minutes(40));
	}

	@Test
	void wantedWhenItIsPausedIsOutOfForceAndContinuesWithTheNextTick() {
		Pause pause = new Pause("ann", "disk", NOW);
		assertThat(wanted(JOB, pause, new State(minutes(10), "new", LAST))).isEqualTo(State.PAUSED);
		assertThat(wanted(JOB, null, State.PAUSED).next()).isEqualTo(minutes(30));
	}

	@Test
	void wantedWhenItHasEndedHasNoNextTick() {
		RecurringJob ended = RecurringJob.of("r", "Work.run", "work", JOB.schedule().until(minutes(20)));
		assertThat(wanted(ended, null, State.NONE)).isEqualTo(new State(null, "new", null));
	}

	@Test
	void nextToComeIsATickOfBeforeThatItsJitterHasMoved() {
		RecurringJob jittery = RecurringJob.of("r", "Work.run", "work", JOB.schedule().jitter(Duration.ofMinutes(9)));
		Instant moved = jittery.schedule().moved("r", minutes(20));
		assertThat(jittery.schedule().toCome("r", null, moved.minusMillis(1))).isEqualTo(minutes(20));
		assertThat(jittery.schedule().toCome("r", null, moved)).isEqualTo(minutes(30));
		assertThat(jittery.schedule().toCome("r", minutes(20), moved.minusMillis(1))).isEqualTo(minutes(30));
	}

	private static State wanted(RecurringJob job, @Nullable Pause pause, State known) {
		return Reconciler.wanted(new Effective(job, "new", Origin.DECLARED, pause, true), known, NOW);
	}

	private static Instant minutes(int minutes) {
		return TICK.plus(Duration.ofMinutes(minutes));
	}

}

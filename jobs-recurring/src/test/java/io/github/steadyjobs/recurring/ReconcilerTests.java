package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;

import io.github.steadyjobs.recurring.Declarations.Effective;
import io.github.steadyjobs.recurring.RecurringState.Origin;
import io.github.steadyjobs.recurring.RecurringState.Pause;
import io.github.steadyjobs.recurring.TickStore.Entry;
import io.github.steadyjobs.recurring.TickStore.State;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what {@link Reconciler} decides.
 */
class ReconcilerTests {

	private static final Instant TICK = Instant.parse("2026-01-01T00:00:00Z");

	private static final Instant NOW = TICK.plus(Duration.ofMinutes(25));

	private static final RecurringJob JOB = RecurringJob.of("r", "Work.run", "work",
			Schedule.every(Duration.ofMinutes(10)).from(TICK));

	@Test
	void changeWhenItIsNewBeginsWithTheNextTick() {
		assertThat(change(JOB, null, null, true)).isEqualTo(Entry.of("r", "new", minutes(30)));
	}

	@Test
	void changeWhenItIsInForceIsNone() {
		assertThat(change(JOB, null, state("new", minutes(10)), true)).isNull();
	}

	@Test
	void changeWhenTicksWereMissedKeepsThem() {
		assertThat(change(JOB, null, state("old", minutes(10)), true)).isEqualTo(Entry.of("r", "new", minutes(10)));
	}

	@Test
	void changeWhenTheNextTickIsToComeComputesItAnew() {
		assertThat(change(JOB, null, state("old", minutes(57)), true)).isEqualTo(Entry.of("r", "new", minutes(30)));
	}

	@Test
	void changeWhenItComesFromAnotherQueuePutsItIntoForce() {
		assertThat(change(JOB, null, state("new", minutes(10)), false)).isEqualTo(Entry.of("r", "new", minutes(10)));
	}

	@Test
	void changeWhenItIsPausedTakesItOutOnce() {
		Pause pause = new Pause("ann", "disk", NOW);
		assertThat(change(JOB, pause, state("new", minutes(30)), true)).isEqualTo(Entry.paused("r"));
		assertThat(change(JOB, pause, state("-", null), true)).isNull();
		assertThat(change(JOB, null, state("-", null), true)).isEqualTo(Entry.of("r", "new", minutes(30)));
	}

	@Test
	void changeWhenItHasEndedHasNoNextTick() {
		RecurringJob ended = RecurringJob.of("r", "Work.run", "work", JOB.schedule().until(minutes(20)));
		assertThat(change(ended, null, null, true)).isEqualTo(Entry.of("r", "new", null));
	}

	@Test
	void nextToComeIsATickOfBeforeThatItsJitterHasMoved() {
		RecurringJob jittery = RecurringJob.of("r", "Work.run", "work", JOB.schedule().jitter(Duration.ofMinutes(9)));
		Instant moved = jittery.schedule().moved("r", minutes(20));
		assertThat(jittery.schedule().toCome("r", null, moved.minusMillis(1))).isEqualTo(minutes(20));
		assertThat(jittery.schedule().toCome("r", null, moved)).isEqualTo(minutes(30));
		assertThat(jittery.schedule().toCome("r", minutes(20), moved.minusMillis(1))).isEqualTo(minutes(30));
	}

	private static @Nullable Entry change(RecurringJob job, @Nullable Pause pause, @Nullable State state,
			boolean isHere) {
		return Reconciler.change(new Effective(job, "new", Origin.DECLARED, pause, true), state, isHere, NOW);
	}

	private static State state(String digest, @Nullable Instant next) {
		return new State(next, digest, null);
	}

	private static Instant minutes(int minutes) {
		return TICK.plus(Duration.ofMinutes(minutes));
	}

}

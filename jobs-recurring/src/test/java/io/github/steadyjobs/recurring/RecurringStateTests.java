package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.github.steadyjobs.recurring.Declarations.Effective;
import io.github.steadyjobs.recurring.RecurringState.LastTick;
import io.github.steadyjobs.recurring.RecurringState.Origin;
import io.github.steadyjobs.recurring.RecurringTick.Decision;
import io.github.steadyjobs.recurring.TickStore.State;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RecurringState}.
 */
class RecurringStateTests {

	private static final RecurringJob JOB = RecurringJob.of("nightly", "Books.close", "default",
			Schedule.every(Duration.ofHours(1)).from(Instant.EPOCH).jitter(Duration.ofMinutes(50)));

	private static final Instant TICK = Instant.parse("2026-12-01T03:00:00Z");

	private static final Instant MOVED = JOB.schedule().moved("nightly", TICK);

	@Test
	void latenessOfTheLastTickIsCountedFromItsJitter() {
		LastTick last = Objects.requireNonNull(state(TICK.plus(Duration.ofHours(1)), MOVED).last());
		assertThat(MOVED).isAfter(TICK);
		assertThat(last.due()).isEqualTo(MOVED);
		assertThat(last.lateness()).isEqualTo(Duration.ofMillis(3));
	}

	@Test
	void lateIsByHowMuchTheNextTickHasPassed() {
		assertThat(state(TICK, MOVED.minusMillis(1)).late()).isZero();
		assertThat(state(TICK, MOVED).late()).isZero();
		assertThat(state(TICK, MOVED.plusSeconds(7)).late()).isEqualTo(Duration.ofSeconds(7));
	}

	@Test
	void latenessOfTheLastTickIsNeverNegative() {
		State state = new State(TICK.plus(Duration.ofHours(1)), "0123",
				new LastTick(TICK, TICK.plusMillis(3), Decision.ENQUEUED, null, null, Duration.ZERO));
		LastTick last = Objects.requireNonNull(state(state, TICK.plusSeconds(1)).last());
		assertThat(last.lateness()).isEqualTo(Duration.ofMillis(3));
	}

	@Test
	void nextWhenTicksWereMissedContinuesWithTheNextTickToCome() {
		Instant now = TICK.plus(Duration.ofHours(6));
		assertThat(state(TICK, now).next()).hasSize(5).startsWith(MOVED).doesNotHaveDuplicates().isSorted();
		assertThat(state(TICK, now).next().subList(1, 5)).allSatisfy((time) -> assertThat(time).isAfter(now));
	}

	private static RecurringState state(Instant next, Instant now) {
		State state = new State(next, "0123",
				new LastTick(TICK, MOVED.plusMillis(3), Decision.ENQUEUED, null, null, Duration.ZERO));
		return state(state, now);
	}

	private static RecurringState state(State state, Instant now) {
		return Reconciler.state(new Effective(JOB, "0123", Origin.DECLARED, null, true), state, now);
	}

}

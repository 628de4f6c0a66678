package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.recurring.RecurringTick.Decision;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TickPlan}.
 */
class TickPlanTests {

	private static final Instant TICK = Instant.parse("2026-01-01T00:00:00Z");

	private static final Duration LATE = Duration.ofMinutes(1);

	private static final RecurringJob JOB = RecurringJob.of("a", "job", "q",
			Schedule.every(Duration.ofMinutes(10)).from(TICK));

	@ParameterizedTest
	@EnumSource(names = { "SKIP", "RUN_ONCE" })
	void planWhenTickIsInTimeRunsIt(Missed missed) {
		assertThat(plan(JOB.missed(missed), Duration.ofSeconds(59)))
			.isEqualTo(new TickPlan(List.of(), 0, List.of(TICK), Decision.ENQUEUED, tick(1)));
	}

	@Test
	void planOfSkipWhenTickIsLateRunsNone() {
		assertThat(plan(JOB.missed(Missed.SKIP), Duration.ofMinutes(2)))
			.isEqualTo(new TickPlan(List.of(), 0, List.of(TICK), Decision.SKIPPED, tick(1)));
	}

	@Test
	void planOfSkipWhenTheLatestIsInTimeRunsThat() {
		assertThat(plan(JOB.missed(Missed.SKIP), Duration.ofMinutes(30)))
			.isEqualTo(new TickPlan(List.of(TICK, tick(1), tick(2)), 0, List.of(tick(3)), Decision.ENQUEUED, tick(4)));
	}

	@Test
	void planOfRunOnceRunsTheLatest() {
		assertThat(plan(JOB.missed(Missed.RUN_ONCE), Duration.ofMinutes(25)))
			.isEqualTo(new TickPlan(List.of(TICK, tick(1)), 0, List.of(tick(2)), Decision.MADE_UP, tick(3)));
	}

	@Test
	void planOfRunAllRunsTheLatestUpToItsBound() {
		assertThat(plan(JOB.runAllMissed(2), Duration.ofMinutes(35)))
			.isEqualTo(new TickPlan(List.of(TICK, tick(1)), 0, List.of(tick(2), tick(3)), Decision.MADE_UP, tick(4)));
		assertThat(plan(JOB.runAllMissed(10), Duration.ofMinutes(35)).handled()).containsExactly(TICK, tick(1), tick(2),
				tick(3));
	}

	@Test
	void planOfRunAllCountsOnlyMissedTicks() {
		assertThat(plan(JOB.runAllMissed(1), Duration.ofMinutes(30)))
			.isEqualTo(new TickPlan(List.of(TICK, tick(1)), 0, List.of(tick(2), tick(3)), Decision.ENQUEUED, tick(4)));
	}

	@Test
	void planWhenManyWereMissedListsTheLatestAndCountsTheOthers() {
		TickPlan plan = plan(JOB.runAllMissed(3), Duration.ofMinutes(10 * 5000 + 5));
		assertThat(plan.handled()).containsExactly(tick(4998), tick(4999), tick(5000));
		assertThat(plan.passed()).hasSize(997).endsWith(tick(4997));
		assertThat(plan.more()).isEqualTo(4001);
	}

	@Test
	void planWhenEverySecondOfYearsWasMissedIsMadeAtOnce() {
		RecurringJob job = RecurringJob.of("a", "job", "q", Schedule.cron("* * * * * *", ZoneId.of("Europe/Berlin")))
			.runAllMissed(1000);
		Instant now = TICK.plus(Duration.ofDays(3650)).plusMillis(500);
		TickPlan plan = TickPlan.of(job, TICK, now, LATE);
		assertThat(plan.handled()).hasSize(1000).endsWith(now.minusMillis(500)).isSorted().doesNotHaveDuplicates();
		assertThat(plan.handled().get(0)).isEqualTo(now.minusMillis(500).minusSeconds(999));
		assertThat(plan.next()).isEqualTo(now.plusMillis(500));
		assertThat(plan.more()).isGreaterThan(100_000);
	}

	@Test
	void planWhenItEndsHasNoNextTick() {
		RecurringJob job = RecurringJob.of("a", "job", "q",
				Schedule.every(Duration.ofMinutes(10)).from(TICK).until(tick(1)));
		assertThat(TickPlan.of(job, TICK, tick(9), LATE))
			.isEqualTo(new TickPlan(List.of(TICK), 0, List.of(tick(1)), Decision.MADE_UP, null));
	}

	@Test
	void planCountsJitterAsTheTimeOfTheTick() {
		RecurringJob job = RecurringJob.of("a", "job", "q",
				Schedule.every(Duration.ofMinutes(10)).from(TICK).jitter(Duration.ofMinutes(9)));
		Instant moved = job.schedule().moved("a", TICK);
		assertThat(moved).isAfter(TICK);
		assertThat(TickPlan.of(job, TICK, moved.plusSeconds(59), LATE).latest()).isEqualTo(Decision.ENQUEUED);
		assertThat(TickPlan.of(job, TICK, moved.plusSeconds(61), LATE).latest()).isEqualTo(Decision.MADE_UP);
	}

	private static TickPlan plan(RecurringJob job, Duration after) {
		return TickPlan.of(job, TICK, TICK.plus(after), LATE);
	}

	private static Instant tick(int number) {
		return TICK.plus(Duration.ofMinutes(10).multipliedBy(number));
	}

}

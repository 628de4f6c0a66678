package io.github.steadyjobs.benchmarks.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Recurring.Overlap;
import io.github.steadyjobs.benchmarks.chaos.Run.Ending;
import io.github.steadyjobs.benchmarks.chaos.TickCheck.Reason;
import io.github.steadyjobs.benchmarks.chaos.TickSpec.Policies;
import io.github.steadyjobs.recurring.Schedule;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TickCheck} with a tick every 10 seconds.
 */
class TickCheckTests {

	private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

	private static final Policies SKIP = new Policies(Missed.SKIP, 0, Overlap.SKIP);

	@Test
	void tickThatRanIsExplained() {
		TickCheck check = check(SKIP, List.of(decision(0, 0, 0, "E", "a")), List.of(run("a", 0, 1, Ending.DONE)));
		assertThat(check.ticks()).hasSize(4);
		assertThat(check.reason(tick(0))).isEqualTo(Reason.RAN);
		assertThat(check.reason(tick(1))).isEqualTo(Reason.NONE);
		assertThat(check.doubles()).isZero();
		assertThat(check.lateness()).containsExactly(0L);
	}

	@Test
	void tickWhoseJobNeverEndedIsNotExplained() {
		TickCheck check = check(SKIP, List.of(decision(0, 0, 0, "E", "a")), List.of(run("a", 0, 1, Ending.NONE)));
		assertThat(check.reason(tick(0))).isEqualTo(Reason.NONE);
	}

	@Test
	void tickThatMetAnotherIsExplainedByThatAlone() {
		List<Run> runs = List.of(run("a", 0, 12, Ending.DONE));
		TickDecision overlapped = decision(1, 1, 10, "D", "a");
		assertThat(check(SKIP, List.of(overlapped), runs).reason(tick(1))).isEqualTo(Reason.OVERLAPPED);
		Policies allow = new Policies(Missed.SKIP, 0, Overlap.ALLOW);
		assertThat(check(allow, List.of(overlapped), runs).reason(tick(1))).isEqualTo(Reason.NONE);
		TickDecision late = decision(2, 2, 20, "D", "a");
		assertThat(check(SKIP, List.of(late), runs).reason(tick(2))).isEqualTo(Reason.NONE);
		assertThat(check(SKIP, List.of(late), List.of()).reason(tick(2))).isEqualTo(Reason.NONE);
	}

	@Test
	void tickThatWasQueuedNeedsARunAfterwards() {
		Policies queueing = new Policies(Missed.SKIP, 0, Overlap.QUEUE_ONE);
		List<TickDecision> decisions = List.of(decision(1, 1, 10, "R", "a"), decision(2, 2, 20, "R", "a"));
		List<Run> early = List.of(run("a", 0, 25, Ending.DONE));
		assertThat(check(queueing, decisions, early).reason(tick(1))).isEqualTo(Reason.NONE);
		List<Run> both = List.of(run("a", 0, 25, Ending.DONE), run("c", 25, 26, Ending.DONE));
		assertThat(check(queueing, decisions, both).reason(tick(1))).isEqualTo(Reason.QUEUED);
		assertThat(check(queueing, decisions, both).reason(tick(2))).isEqualTo(Reason.RAN);
	}

	@Test
	void tickThatWasMissedIsExplainedByItsPolicy() {
		List<TickDecision> decisions = List.of(decision(0, 2, 22, "E", "c"));
		assertThat(check(SKIP, decisions, List.of()).reason(tick(1))).isEqualTo(Reason.SKIPPED);
		Policies once = new Policies(Missed.RUN_ONCE, 0, Overlap.SKIP);
		assertThat(check(once, decisions, List.of()).reason(tick(1))).isEqualTo(Reason.STOOD_FOR);
		Policies one = new Policies(Missed.RUN_ALL, 1, Overlap.SKIP);
		assertThat(check(one, decisions, List.of()).reason(tick(1))).isEqualTo(Reason.SKIPPED);
		Policies two = new Policies(Missed.RUN_ALL, 2, Overlap.SKIP);
		assertThat(check(two, decisions, List.of()).reason(tick(0))).isEqualTo(Reason.SKIPPED);
		assertThat(check(two, decisions, List.of()).reason(tick(1))).isEqualTo(Reason.NONE);
		// No decision covers the tick between these two.
		assertThat(check(SKIP, List.of(decision(0, 0, 0, "E", "a"), decision(2, 2, 22, "E", "c")), List.of())
			.reason(tick(1))).isEqualTo(Reason.NONE);
	}

	@Test
	void tickThatWasSkippedMustHaveBeenLate() {
		assertThat(check(SKIP, List.of(decision(0, 0, 6, "S", "-")), List.of()).reason(tick(0)))
			.isEqualTo(Reason.SKIPPED);
		assertThat(check(SKIP, List.of(decision(0, 0, 4, "S", "-")), List.of()).reason(tick(0))).isEqualTo(Reason.NONE);
	}

	@Test
	void twoJobsOfATickAreFound() {
		List<Run> runs = List.of(run("a", 0, 1, Ending.DONE), run("aa", 0, 1, Ending.DONE));
		assertThat(check(SKIP, List.of(), runs).doubles()).isOne();
		List<TickDecision> twice = List.of(decision(0, 0, 0, "E", "a"), decision(0, 0, 1, "E", "a"));
		assertThat(check(SKIP, twice, List.of()).doubles()).isOne();
	}

	@Test
	void runsThatWereNotAskedForAreFound() {
		List<Run> runs = List.of(run("a", 0, 1, Ending.FAILED), run("a", 2, 3, Ending.DONE),
				run("a", 4, 5, Ending.DONE));
		assertThat(check(SKIP, List.of(), runs).repeated()).containsExactly(runs.get(1));
	}

	private static TickCheck check(Policies policies, List<TickDecision> decisions, List<Run> runs) {
		Duration period = Duration.ofSeconds(10);
		TickSpec spec = new TickSpec(0, Schedule.every(period).from(START), period, policies, Duration.ZERO);
		Map<String, Instant> dues = Map.of("a", tick(0), "aa", tick(0), "c", tick(2));
		TickHistory history = new TickHistory(START.minusMillis(1), START.plusSeconds(30), Duration.ofSeconds(5),
				decisions, runs, dues, Set.of(), List.of());
		return new TickCheck(spec, history);
	}

	private static Instant tick(int number) {
		return START.plusSeconds(10L * number);
	}

	private static TickDecision decision(int first, int last, int at, String letter, String job) {
		return new TickDecision("recurring-0000", tick(first), tick(last), START.plusSeconds(at), letter, job);
	}

	private static Run run(String id, int start, int end, Ending ending) {
		return new Run(0, 0, id, 1, START.plusSeconds(start).toEpochMilli(), START.plusSeconds(end).toEpochMilli(),
				ending);
	}

}

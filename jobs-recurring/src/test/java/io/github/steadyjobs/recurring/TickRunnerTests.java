package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.steadyjobs.client.Admission;
import io.github.steadyjobs.client.Admission.Kind;
import io.github.steadyjobs.client.PreparingJobClient.Prepared;
import io.github.steadyjobs.recurring.Declarations.Effective;
import io.github.steadyjobs.recurring.RecurringState.Origin;
import io.github.steadyjobs.recurring.RecurringTick.Decision;
import io.github.steadyjobs.recurring.TickStore.Tick;
import io.github.steadyjobs.redis.NewJob;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the events that {@link TickRunner} publishes about ticks, and for the ids of
 * their jobs.
 */
class TickRunnerTests {

	private static final Instant TICK = Instant.parse("2026-01-01T00:00:00Z");

	private static final NewJob JOB = new NewJob("own", new byte[0], null);

	@ParameterizedTest
	@CsvSource({ "STORED, MADE_UP, MADE_UP, own", "STORED_FOR_LOST, ENQUEUED, ENQUEUED, own",
			"STORED_AFTER_EXPIRY, MADE_UP, MADE_UP, own", "DUPLICATE, ENQUEUED, OVERLAPPED, other",
			"DUPLICATE, MADE_UP, OVERLAPPED, other", "RUNS_ONCE_MORE, ENQUEUED, QUEUED, other" })
	void eventSaysWhatBecameOfTheJob(Kind kind, Decision planned, Decision expected, String job) {
		assertThat(event(planned, JOB, new Admission(kind, "other")))
			.isEqualTo(new RecurringTick("r", TICK, TICK.plusSeconds(1), expected, job, 1));
	}

	@Test
	void eventWhenTheTickMakesNoJobIsSkipped() {
		assertThat(event(Decision.SKIPPED, null, new Admission(Kind.STORED, "")))
			.isEqualTo(new RecurringTick("r", TICK, TICK.plusSeconds(1), Decision.SKIPPED, null, 1));
	}

	@Test
	void idIsThatOfTheTickInEveryProcess() {
		assertThat(TickRunner.id("r", TICK)).isEqualTo("019b76daa800" + DeclaredSet.hex("r 1767225600000"));
		assertThat(TickRunner.id("s", TICK)).startsWith("019b76daa800").isNotEqualTo(TickRunner.id("r", TICK));
	}

	private static RecurringTick event(Decision planned, @Nullable NewJob job, Admission admission) {
		RecurringJob recurring = RecurringJob.of("r", "Work.run", "work", Schedule.every(Duration.ofHours(1)));
		Tick tick = new Tick(new Effective(recurring, "digest", Origin.DECLARED, null, true), TICK, TICK, TICK, null,
				planned, (job != null) ? new Prepared("work", job, (answer) -> {
				}) : null, List.of());
		return TickRunner.event(tick, admission, TICK.plusSeconds(1));
	}

}

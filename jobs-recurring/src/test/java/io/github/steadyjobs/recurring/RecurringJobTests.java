package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.Idempotent.IfDuplicate;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Recurring.Overlap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RecurringJob}: the requests for its jobs, and what it refuses.
 */
class RecurringJobTests {

	private static final Instant DUE = Instant.parse("2026-03-29T01:00:00Z");

	private static final RecurringJob JOB = RecurringJob.of("r", "Work.run", "work",
			Schedule.every(Duration.ofHours(1)));

	@Test
	void requestWhenRunsMayOverlapAsksForNoLock() {
		assertThat(idempotence(Overlap.ALLOW, false)).isNull();
		assertThat(idempotence(Overlap.ALLOW, true)).isNull();
	}

	@Test
	void requestWhenTheyMayNotAsksForALockOfThisRecurrence() {
		assertThat(idempotence(Overlap.SKIP, false)).satisfies((lock) -> {
			assertThat(lock.key()).isEqualTo("recurring r");
			assertThat(lock.ifDuplicate()).isEqualTo(IfDuplicate.DROP);
		});
		assertThat(idempotence(Overlap.QUEUE_ONE, false).ifDuplicate()).isEqualTo(IfDuplicate.RUN_ONCE_MORE);
	}

	@ParameterizedTest
	@EnumSource(names = { "SKIP", "QUEUE_ONE" })
	void requestWhenJobIsIdempotentAsksForTheLockOfEqualJobs(Overlap overlap) {
		assertThat(idempotence(overlap, true).key()).isNull();
	}

	@Test
	void requestIsForTheQueueOfTheTicksAndNamesTheRecurrence() {
		JobRequest.Options options = JOB.request(DUE, false, null).options();
		assertThat(options.queue()).isEqualTo("work");
		assertThat(options.meta()).containsEntry("recurring", "r")
			.containsEntry("recurring_due", "2026-03-29T01:00:00Z");
	}

	@ParameterizedTest
	@CsvSource({ "a b, Work.run, work, name", "r, '', work, job", "r, Work.run, a b, queue" })
	void jobWhenANameIsInvalidIsRefused(String name, String job, String queue, String part) {
		assertThatExceptionOfType(InvalidRecurringJobException.class)
			.isThrownBy(() -> RecurringJob.of(name, job, queue, JOB.schedule()))
			.withMessageContaining("'" + part + "' must be");
	}

	@Test
	void jobWhenAtMostDoesNotFitTheTicksItRunsIsRefused() {
		assertThatExceptionOfType(InvalidRecurringJobException.class).isThrownBy(() -> JOB.runAllMissed(1001));
		assertThatExceptionOfType(InvalidRecurringJobException.class).isThrownBy(() -> JOB.runAllMissed(0));
		assertThatExceptionOfType(InvalidRecurringJobException.class)
			.isThrownBy(() -> new RecurringJob("r", "Work.run", "work", JOB.schedule(), Missed.SKIP, 5, Overlap.SKIP))
			.withMessageContaining("'atMost' is for RUN_ALL");
	}

	private static Idempotence idempotence(Overlap overlap, boolean idempotent) {
		return JOB.overlap(overlap).request(DUE, idempotent, null).options().idempotence();
	}

}

package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link Schedule}.
 */
class ScheduleTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

	/**
	 * The cron expression names a local time that is skipped when daylight saving time
	 * begins. The job runs at the instant at which the clocks go forward.
	 */
	@ParameterizedTest
	@CsvSource({ "Europe/Berlin, 0 30 2 * * *, 2026-03-28T12:00, 2026-03-29T01:00:00Z",
			"America/New_York, 0 30 2 * * *, 2026-03-07T12:00, 2026-03-08T07:00:00Z",
			"Australia/Lord_Howe, 0 15 2 * * *, 2026-10-03T12:00, 2026-10-03T15:30:00Z",
			"Africa/Cairo, 0 0 0 * * *, 2026-04-23T12:00, 2026-04-23T22:00:00Z" })
	void nextWhenTimeDoesNotExistIsTheNextThatDoes(ZoneId zone, String cron, LocalDateTime after, Instant expected) {
		Schedule schedule = Schedule.cron(cron, zone);
		Instant next = schedule.next("a", after.atZone(zone).toInstant());
		assertThat(next).isEqualTo(expected);
		// The job runs only once.
		assertThat(Duration.between(next, schedule.next("a", next))).isBetween(Duration.ofHours(22),
				Duration.ofHours(26));
	}

	@ParameterizedTest
	@CsvSource({ "Europe/Berlin, 0 30 2 * * *, 2026-10-24T12:00, 2026-10-25T00:30:00Z, 25",
			"America/New_York, 0 30 1 * * *, 2026-10-31T12:00, 2026-11-01T05:30:00Z, 25",
			"Australia/Lord_Howe, 0 45 1 * * *, 2026-04-04T12:00, 2026-04-04T14:45:00Z, 24" })
	void nextWhenTimeExistsTwiceRunsOnce(ZoneId zone, String cron, LocalDateTime after, Instant expected, int hours) {
		Schedule schedule = Schedule.cron(cron, zone);
		Instant next = schedule.next("a", after.atZone(zone).toInstant());
		assertThat(next).isEqualTo(expected);
		assertThat(Duration.between(next, schedule.next("a", next)).toHours()).isEqualTo(hours);
	}

	@Test
	void nextWhenEachMinuteOfAnHourExistsTwiceRunsEachOnce() {
		Schedule schedule = Schedule.cron("0 */10 * * * *", BERLIN);
		List<Instant> times = schedule.next("a", Instant.parse("2026-10-24T23:59:00Z"), 13);
		assertThat(times).startsWith(Instant.parse("2026-10-25T00:00:00Z"))
			.containsSubsequence(Instant.parse("2026-10-25T00:50:00Z"), Instant.parse("2026-10-25T02:00:00Z"))
			.noneMatch((time) -> time.toString().startsWith("2026-10-25T01"));
	}

	@Test
	void nextWhenAfterIsInTheHourThatExistsForTheSecondTimeIsBehindIt() {
		Schedule schedule = Schedule.cron("0 30 2 * * *", BERLIN);
		assertThat(schedule.next("a", Instant.parse("2026-10-25T01:15:00Z")))
			.isEqualTo(Instant.parse("2026-10-26T01:30:00Z"));
	}

	@Test
	void nextIsAlwaysLaterAndNoneIsLeftOut() {
		Schedule schedule = Schedule.cron("0 0 * * * *", BERLIN);
		Instant time = START;
		for (int hour = 0; hour < 365 * 24; hour++) {
			Instant next = schedule.next("a", time);
			assertThat(Duration.between(time, next)).isBetween(Duration.ofHours(1), Duration.ofHours(2));
			time = next;
		}
		// One hour of the year occurs twice, and its second occurrence is left out.
		assertThat(time).isEqualTo(START.plus(Duration.ofDays(365)).plus(Duration.ofHours(1)));
	}

	@Test
	void nextOfPeriodIsTheSameHoweverOftenItIsAskedFor() {
		Schedule schedule = Schedule.every(Duration.ofMinutes(10));
		Instant first = schedule.next("a", START);
		assertThat(first).isBetween(START.plusMillis(1), START.plus(Duration.ofMinutes(10)));
		assertThat(schedule.next("a", first.minusMillis(1))).isEqualTo(first);
		assertThat(schedule.next("a", first)).isEqualTo(first.plus(Duration.ofMinutes(10)));
		assertThat(Stream.of("a", "b", "c", "d").map((name) -> schedule.next(name, START))).doesNotHaveDuplicates();
	}

	@Test
	void nextOfPeriodCountsFromItsBegin() {
		Instant from = Instant.parse("2026-02-01T06:00:00Z");
		Schedule schedule = Schedule.every(Duration.ofHours(7)).from(from);
		assertThat(schedule.next("a", START, 2)).containsExactly(from, from.plus(Duration.ofHours(7)));
	}

	@Test
	void nextEndsWithUntil() {
		Schedule schedule = Schedule.cron("0 0 0 * * *", ZoneId.of("UTC"))
			.from(START)
			.until(START.plus(Duration.ofDays(1)));
		assertThat(schedule.next("a", Instant.EPOCH, 5)).containsExactly(START, START.plus(Duration.ofDays(1)));
	}

	@Test
	void movedStaysWithinTheJitterAndIsTheSameEverywhere() {
		Schedule schedule = Schedule.every(Duration.ofMinutes(1)).jitter(Duration.ofSeconds(30));
		List<Instant> times = schedule.next("a", START, 100);
		assertThat(schedule.next("a", START, 100)).isEqualTo(times);
		assertThat(times).map((time) -> Math.floorMod(time.toEpochMilli() - times.get(0).toEpochMilli(), 60_000))
			.doesNotHaveDuplicates();
		Schedule exact = Schedule.every(Duration.ofMinutes(1));
		List<Instant> unmoved = exact.next("a", START, 100);
		for (int i = 0; i < 100; i++) {
			assertThat(Duration.between(unmoved.get(i), times.get(i))).isBetween(Duration.ZERO, Duration.ofSeconds(30));
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			value = { "0 3 * * MON-FRI|five fields, but seconds come first here. Write '0 0 3 * * MON-FRI'",
					"0 0 3 * *|Write '0 0 0 3 * *'", "0 99 * * *|must consist of 6 fields",
					"0 3 * *|must consist of 6 fields", "0 0 25 * * *|'25' at position 5, for hours",
					"0 61 3 * * *|'61' at position 3, for minutes", "0 0 3 * FOO *|'FOO' at position 9, for months",
					"0 0 0 30 2 *|' never comes", "@never|@never" })
	void cronWhenItCannotBeReadSaysWhere(String cron, String text) {
		assertThatExceptionOfType(InvalidRecurringJobException.class).isThrownBy(() -> Schedule.cron(cron, BERLIN))
			.withMessageContaining(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "@daily", "0 0 0 L * *", "0 0 0 ? * MON#1", "*/5 * * * * *", "0 0 9-17 * * MON-FRI" })
	void cronTakesWhatSpringTakes(String cron) {
		assertThatNoException().isThrownBy(() -> Schedule.cron(cron, BERLIN));
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0S", "PT-1S", "PT0.999S", "PT1.0000001S", "P40000D" })
	void everyWhenItCannotBeSaysSo(Duration period) {
		assertThatExceptionOfType(InvalidRecurringJobException.class).isThrownBy(() -> Schedule.every(period))
			.withMessageContaining("'every'");
	}

	@Test
	void limitsWhenTheyCannotBeSaySo() {
		Schedule schedule = Schedule.every(Duration.ofMinutes(1));
		assertThatExceptionOfType(InvalidRecurringJobException.class)
			.isThrownBy(() -> schedule.from(START).until(START.minusMillis(1)))
			.withMessageContaining("'from' must not be after 'until'");
		assertThatExceptionOfType(InvalidRecurringJobException.class)
			.isThrownBy(() -> schedule.jitter(Duration.ofNanos(1)))
			.withMessageContaining("'jitter'");
		assertThatExceptionOfType(InvalidRecurringJobException.class)
			.isThrownBy(() -> schedule.jitter(Duration.ofDays(2)));
		assertThatExceptionOfType(InvalidRecurringJobException.class).isThrownBy(() -> schedule.until(Instant.MAX));
	}

	@ParameterizedTest
	@ValueSource(strings = { "*/7 * * * * *", "0,1 0/5 * * * *" })
	void movedWhenJitterIsLongerThanThePeriodStaysBeforeTheNextTick(String cron) {
		Duration jitter = Duration.ofMinutes(10);
		for (Schedule schedule : List.of(Schedule.every(Duration.ofMinutes(5)).jitter(jitter),
				Schedule.cron(cron, ZoneId.of("UTC")).jitter(jitter))) {
			Instant tick = Objects.requireNonNull(schedule.next("r", Instant.parse("2026-01-01T00:00:00Z")));
			for (int i = 0; i < 1000; i++) {
				Instant next = Objects.requireNonNull(schedule.next("r", tick));
				assertThat(schedule.moved("r", tick)).isBetween(tick, next.minusMillis(1));
				tick = next;
			}
		}
	}

}

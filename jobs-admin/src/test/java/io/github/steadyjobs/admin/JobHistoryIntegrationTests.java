package io.github.steadyjobs.admin;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.github.steadyjobs.admin.JobHistory.Mark;
import io.github.steadyjobs.admin.JobHistory.OfJob;
import io.github.steadyjobs.admin.RunCounts.Count;
import io.github.steadyjobs.support.MutableClock;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link JobHistory}.
 */
@RedisAndClusterTest
class JobHistoryIntegrationTests {

	private static final Instant NOW = Instant.parse("2026-03-01T14:05:30Z");

	private final TestRedis redis;

	private final MutableClock clock = new MutableClock(NOW);

	private final RunHistory runs;

	private final JobHistory history;

	JobHistoryIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.runs = new RunHistory(redis.connections(), redis.prefix(), this.clock);
		this.history = new JobHistory(redis.connections(), redis.prefix(), this.clock);
	}

	@BeforeEach
	void clear() {
		this.redis.clear();
	}

	@Test
	void minutesAreThoseThatTheRangeTouches() {
		add("mail", "13:04", 1);
		add("mail", "13:05", 2);
		add("naïve:{job}", "13:59", 4);
		add("mail", "14:05", 8);
		add("mail", "14:06", 16);
		assertThat(runs(this.history.minutes(NOW.minus(Duration.ofHours(1)), NOW)))
			.isEqualTo(Map.of(at("13:05"), 2L, at("13:59"), 4L, at("14:05"), 8L));
		assertThat(runs(this.history.minutes("mail", at("13:05"), at("14:05")))).isEqualTo(Map.of(at("13:05"), 2L));
		assertThat(runs(this.history.minutes("naïve:{job}", at("13:00"), at("14:00"))))
			.isEqualTo(Map.of(at("13:59"), 4L));
		assertThat(this.history.minutes("other", at("13:00"), NOW)).isEmpty();
		assertThat(this.history.minutes(NOW.minus(Duration.ofHours(72)), NOW)).hasSize(4);
	}

	@Test
	void namesAddUpExactlyTheMinutesOfTheRange() {
		add("mail", "12:59", 1);
		add("mail", "13:04", 2);
		add("mail", "13:05", 4);
		add("mail", "14:05", 8);
		add("report", "13:30", 100);
		add("gone", "13:01", 1);
		assertThat(this.history.names(NOW.minus(Duration.ofHours(1)), NOW)).extracting(OfJob::name)
			.containsExactly("report", "mail");
		assertThat(names("13:05", "14:06")).isEqualTo(Map.of("mail", 12L, "report", 100L));
		assertThat(names("13:05", "14:05")).isEqualTo(Map.of("mail", 4L, "report", 100L));
		assertThat(names("13:00", "14:00")).isEqualTo(Map.of("mail", 6L, "report", 100L, "gone", 1L));
		assertThat(names("12:00", "14:06")).isEqualTo(Map.of("mail", 15L, "report", 100L, "gone", 1L));
		assertThat(names("13:01", "13:05")).isEqualTo(Map.of("mail", 2L, "gone", 1L));
	}

	@Test
	void namesWhenThePresentIsBehindTheEndReadsMinutes() {
		add("mail", "14:01", 1);
		add("mail", "14:03", 2);
		assertThat(names("14:00", "14:02")).isEqualTo(Map.of("mail", 1L));
		assertThat(names("14:00", "14:06")).isEqualTo(Map.of("mail", 3L));
	}

	@Test
	void daysAreThoseOfUtc() {
		add("mail", Instant.parse("2025-12-31T23:59:00Z"), 1);
		add("mail", Instant.parse("2026-01-01T00:00:00Z"), 2);
		add("other", Instant.parse("2026-01-02T12:00:00Z"), 4);
		LocalDate newYear = LocalDate.of(2026, 1, 1);
		assertThat(runs(this.history.days(newYear.minusDays(1), newYear.plusDays(1))))
			.isEqualTo(Map.of(newYear.minusDays(1), 1L, newYear, 2L, newYear.plusDays(1), 4L));
		assertThat(runs(this.history.days(newYear, newYear))).isEqualTo(Map.of(newYear, 2L));
		assertThat(runs(this.history.days("mail", newYear.minusDays(90), newYear)))
			.isEqualTo(Map.of(newYear.minusDays(1), 1L, newYear, 2L));
	}

	@Test
	void historyExpires() {
		add("mail", "14:05", 1);
		String prefix = this.redis.prefix() + ":history:2026";
		Map<String, Duration> kept = Map.of(prefix + "-03-01T14:mail", Duration.ofHours(73), prefix + "-03-01T14:",
				Duration.ofHours(73), prefix + "-03-01T14", Duration.ofHours(73), prefix + "-03-01",
				Duration.ofDays(91), prefix, Duration.ofDays(6 * 366));
		assertThat(this.redis.contents()).containsOnlyKeys(kept.keySet());
		kept.forEach((key, time) -> assertThat(this.redis.template().getExpire(key)).as(key)
			.isBetween(time.toSeconds() - 60, time.toSeconds()));
	}

	@Test
	void rangesThatMakeNoSenseAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.history.minutes(NOW, NOW.minusSeconds(1)))
			.withMessageContaining("'to' must not be before 'from'");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.history.names(NOW.minus(Duration.ofHours(72)).minusSeconds(1), NOW))
			.withMessageContaining("at most 72 hours");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.history.days("mail", LocalDate.EPOCH, LocalDate.EPOCH.plusDays(91)))
			.withMessageContaining("at most 90 days");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.history.days(LocalDate.EPOCH, LocalDate.EPOCH.plusDays(1831)));
		assertThatIllegalArgumentException().isThrownBy(() -> this.history.minutes(" ", NOW, NOW))
			.withMessageContaining("leave it out");
		assertThatIllegalArgumentException().isThrownBy(() -> this.history.marks(NOW, NOW.minusSeconds(1)));
	}

	@Test
	void marksAreReadInTheirOrder() {
		this.history.mark("shop 1.0");
		assertThat(this.history.markOnce("shop 1.0")).isFalse();
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.history.markOnce("läden 2 x")).isTrue();
		assertThat(this.history.markOnce("läden 2 x")).isFalse();
		this.clock.advance(Duration.ofMinutes(1));
		this.history.mark("läden 2 x");
		Instant second = NOW.plusSeconds(60);
		assertThat(this.history.marks(NOW, NOW.plusSeconds(121))).containsExactly(new Mark(NOW, "shop 1.0"),
				new Mark(second, "läden 2 x"), new Mark(second.plusSeconds(60), "läden 2 x"));
		assertThat(this.history.marks(second, NOW.plusSeconds(120))).containsExactly(new Mark(second, "läden 2 x"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "  ", "a\nb" })
	void markWhenLabelIsNoneIsRefused(String label) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.history.mark(label))
			.withMessage("'label' must be 1 to 200 characters without control characters, but is '%s'", label);
		assertThatIllegalArgumentException().isThrownBy(() -> this.history.markOnce("a".repeat(201)));
	}

	private void add(String name, String time, int runs) {
		add(name, at(time), runs);
	}

	private void add(String name, Instant minute, int runs) {
		RunCounts counts = new RunCounts();
		counts.add(3, runs);
		counts.add(Count.RAN.index(), runs * 4L);
		counts.add(Count.BEGUN.index(), runs);
		counts.add(Count.WAITED.index(), runs * 10L);
		this.runs.add(new TreeMap<>(Map.of(minute, Map.of(name, counts)))).join();
	}

	private Map<String, Long> names(String from, String to) {
		Map<String, Long> names = new TreeMap<>();
		List<OfJob> jobs = this.history.names(at(from), at(to));
		jobs.forEach((job) -> names.put(job.name(), job.totals().runs()));
		assertThat(Set.copyOf(names.keySet())).hasSize(jobs.size());
		return names;
	}

	private static <K> Map<K, Long> runs(Map<K, RunTotals> totals) {
		Map<K, Long> runs = new TreeMap<>();
		totals.forEach((key, value) -> runs.put(key, value.runs()));
		return runs;
	}

	private static Instant at(String time) {
		return Instant.parse("2026-03-01T" + time + ":00Z");
	}

}

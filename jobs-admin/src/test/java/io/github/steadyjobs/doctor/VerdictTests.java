package io.github.steadyjobs.doctor;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.doctor.Finding.Severity;
import io.github.steadyjobs.pause.Pauses;
import io.github.steadyjobs.pause.Pauses.Pause;
import io.github.steadyjobs.pause.Pauses.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Verdict}.
 */
class VerdictTests {

	private static final Instant NOW = Instant.parse("2026-01-02T12:00:00Z");

	@Test
	void evictionWhenNothingIsDroppedIsFine() {
		assertThat(Verdict.eviction(info("maxmemory_policy", "noeviction"))).isEmpty();
		assertThat(Verdict.eviction(info())).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "allkeys-lru", "allkeys-lfu", "allkeys-random", "allkeys-lrm" })
	void evictionWhenAnyKeyMayBeDroppedIsAsBadAsIsSet(String policy) {
		Verdict verdict = Verdict.eviction(info("maxmemory_policy", policy)).orElseThrow();
		assertThat(verdict.atMost()).isEqualTo(Severity.FAIL);
		assertThat(verdict.problem()).contains("'maxmemory-policy " + policy + "'", "all jobs of a queue");
		assertThat(verdict.action()).startsWith("Set 'maxmemory-policy noeviction'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "volatile-lru", "volatile-ttl" })
	void evictionWhenOnlyKeysThatExpireMayBeDroppedIsAWarningAtMost(String policy) {
		Verdict verdict = Verdict.eviction(info("maxmemory_policy", policy)).orElseThrow();
		assertThat(verdict.atMost()).isEqualTo(Severity.WARN);
		assertThat(verdict.problem()).contains("Jobs do not expire");
	}

	@ParameterizedTest
	@CsvSource({ "100, 80, false", "100, 81, true", "100, 100, true", "0, 50, false" })
	void headroomWhenLessThanAFifthIsLeftIsAProblem(long maxMemory, long used, boolean problem) {
		ServerFacts facts = info("maxmemory", "" + maxMemory, "used_memory", "" + used, "total_system_memory", "1000");
		Optional<Verdict> verdict = Verdict.headroom(facts);
		assertThat(verdict.isPresent()).isEqualTo(problem);
		verdict.ifPresent((found) -> assertThat(found.action()).startsWith("Raise 'maxmemory'"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			noeviction   | it refuses new jobs.
			volatile-lru | it refuses new jobs.
			allkeys-lru  | it drops keys, and with them jobs ('maxmemory-policy allkeys-lru').
			""")
	void headroomWhenLimitIsReachedSaysWhatHappensUnderThePolicy(String policy, String consequence) {
		ServerFacts facts = info("maxmemory", "100", "used_memory", "90", "maxmemory_policy", policy);
		assertThat(Verdict.headroom(facts)).get()
			.extracting(Verdict::problem)
			.asString()
			.endsWith("Once 'maxmemory' is reached, " + consequence);
	}

	@Test
	void headroomWhenThereIsNoLimitComparesWithTheMachine() {
		ServerFacts facts = info("maxmemory", "0", "used_memory", "943718400", "total_system_memory", "1048576000");
		Verdict verdict = Verdict.headroom(facts).orElseThrow();
		assertThat(verdict.problem()).startsWith("Redis uses 900 of 1000 MB, all that its machine has");
		assertThat(verdict.action()).startsWith("Set 'maxmemory' below");
	}

	@Test
	void headroomWhenServerDoesNotTellIsFine() {
		assertThat(Verdict.headroom(info())).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", textBlock = """
			1 | ok  | 0 | ok  | -
			- | -   | - | -   | -
			1 | err | 0 | ok  | could not write its append-only file
			0 | ok  | 3 | err | could not write its last snapshot
			0 | ok  | 3 | ok  | loses every job that was stored since the last snapshot
			0 | ok  | - | ok  | loses every job that was stored since the last snapshot
			0 | ok  | 0 | ok  | loses every job, as it has written no snapshot since it was started
			""")
	void persistenceWhenJobsWouldBeLostSaysWhich(String aof, String aofStatus, String saves, String saveStatus,
			String problem) {
		ServerFacts facts = info("aof_enabled", aof, "aof_last_write_status", aofStatus, "rdb_saves", saves,
				"rdb_last_bgsave_status", saveStatus);
		Optional<Verdict> verdict = Verdict.persistence(facts);
		assertThat(verdict.isPresent()).isEqualTo(problem != null);
		verdict.ifPresent((found) -> assertThat(found.problem()).contains(problem));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", textBlock = """
			redis_version     | 7.0.15  | -
			valkey_version    | 8.1.0   | -
			redis_version     | 6.0.16  | Redis 6.0.16 is too old for the scripts.
			dragonfly_version | df-v1.2 | The server is Dragonfly df-v1.2, with which
			os                | Linux   | The server does not state its version.
			""")
	void versionWhenNotTestedWithSaysSo(String field, String value, String problem) {
		Optional<Verdict> verdict = Verdict.version(info(field, value));
		assertThat(verdict.isPresent()).isEqualTo(problem != null);
		verdict.ifPresent((found) -> assertThat(found.problem()).startsWith(problem));
	}

	@Test
	void versionWhenInfoIsNotAllowedIsNotJudged() {
		assertThat(Verdict.version(info())).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-",
			textBlock = """
					5000  | -
					-5000 | -
					5001  | The clock of Redis is 5 s ahead of that of this machine. Jobs that are scheduled at a time run that much early
					-9000 | The clock of Redis is 9 s behind that of this machine. Jobs that are scheduled at a time run that much late
					""")
	void clockSkewWhenMoreThanFiveSecondsSaysWhatFollows(long millis, String problem) {
		ServerFacts facts = new ServerFacts("", Map.of(), Duration.ZERO, Duration.ofMillis(millis));
		Optional<Verdict> verdict = Verdict.clockSkew(facts);
		assertThat(verdict.isPresent()).isEqualTo(problem != null);
		verdict.ifPresent((found) -> assertThat(found.problem()).startsWith(problem));
	}

	@ParameterizedTest
	@CsvSource({ "10, false", "11, true" })
	void roundTripWhenMoreThanTenMillisecondsIsAProblem(long millis, boolean problem) {
		ServerFacts facts = new ServerFacts("", Map.of(), Duration.ofMillis(millis), Duration.ZERO);
		assertThat(Verdict.roundTrip(facts).isPresent()).isEqualTo(problem);
	}

	@Test
	void pausesWhenNothingIsPausedIsFine() {
		assertThat(Verdict.pauses(pauses())).isEmpty();
	}

	@Test
	void pausesNamesWhoHasPausedWhatSinceWhenUntilWhenAndWhy() {
		Verdict verdict = Verdict
			.pauses(pauses(pause(Target.job("Mail.send"), 60, 0), pause(Target.queue("mail"), 3600, 1800)))
			.orElseThrow();
		assertThat(verdict.problem()).isEqualTo("These pauses keep jobs waiting: "
				+ "queue mail (by ann since 2026-01-02T11:00:00Z, until 2026-01-02T12:30:00Z: The relay is down), "
				+ "job Mail.send (by ann since 2026-01-02T11:59:00Z: The relay is down).");
		assertThat(verdict.action()).contains("JobPauses");
	}

	@ParameterizedTest
	@CsvSource({ "86400, 0, INFO", "86401, 0, WARN", "86401, 60, INFO" })
	void pausesWhenOneWithoutAnEndIsOlderThanADayWarns(long secondsAgo, long secondsToCome, Severity atMost) {
		Pause pause = pause(Target.queue("mail"), secondsAgo, secondsToCome);
		Verdict verdict = Verdict.pauses(pauses(pause, pause(Target.queue("news"), 1, 0))).orElseThrow();
		assertThat(verdict.atMost()).isEqualTo(atMost);
	}

	@Test
	void pausesWhenManyAreThereNamesTheTenOldest() {
		Pause[] pauses = IntStream.rangeClosed(1, 12)
			.mapToObj((age) -> pause(Target.queue("q" + age), age, 0))
			.toArray(Pause[]::new);
		String problem = Verdict.pauses(pauses(pauses)).orElseThrow().problem();
		assertThat(problem).contains("queue q12 (", "queue q3 (")
			.doesNotContain("queue q2 (")
			.endsWith(") and 2 more.");
	}

	private static Pauses pauses(Pause... pauses) {
		Map<Target, Pause> byTarget = new LinkedHashMap<>();
		Stream.of(pauses).forEach((pause) -> byTarget.put(pause.target(), pause));
		return new Pauses(1, NOW.toEpochMilli(), byTarget);
	}

	private static Pause pause(Target target, long secondsAgo, long secondsToCome) {
		long until = (secondsToCome > 0) ? NOW.plusSeconds(secondsToCome).toEpochMilli() : 0;
		return new Pause(target, 1, NOW.minusSeconds(secondsAgo).toEpochMilli(), until, false, "ann",
				"The relay is down");
	}

	private static ServerFacts info(String... fieldsAndValues) {
		Map<String, String> info = new HashMap<>();
		for (int i = 0; i < fieldsAndValues.length; i += 2) {
			if (fieldsAndValues[i + 1] != null) {
				info.put(fieldsAndValues[i], fieldsAndValues[i + 1]);
			}
		}
		return new ServerFacts("", info, Duration.ZERO, Duration.ZERO);
	}

}

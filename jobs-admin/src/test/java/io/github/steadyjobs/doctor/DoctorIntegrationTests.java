package io.github.steadyjobs.doctor;

import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.github.steadyjobs.doctor.Finding.Severity;
import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.pause.PauseStore.Order;
import io.github.steadyjobs.pause.Pauses.Target;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.support.ClusterRedis;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.RedisUser;
import io.github.steadyjobs.support.TestRedis;
import io.lettuce.core.ReadFrom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Doctor}.
 */
@ExtendWith(OutputCaptureExtension.class)
class DoctorIntegrationTests {

	private final OwnRedis redis = OwnRedis.startDurable();

	@AfterEach
	void close() {
		this.redis.close();
	}

	@Test
	void examineWhenRedisIsSoundFindsNothing() {
		assertThat(examine(all(Severity.FAIL))).isEmpty();
	}

	@Test
	@DisplayName("SK-82: an eviction policy is detected")
	void examineWhenPolicyEvictsFindsIt() {
		this.redis.configure("maxmemory-policy", "allkeys-lru");
		assertThat(examine(all(Severity.ERROR))).singleElement()
			.hasFieldOrPropertyWithValue("check", Check.EVICTION)
			.hasFieldOrPropertyWithValue("severity", Severity.ERROR);
	}

	@Test
	void examineWhenPolicyEvictsOnlyWhatExpiresWarnsEvenIfSetToFail() {
		this.redis.configure("maxmemory-policy", "volatile-lru");
		assertThat(examine(all(Severity.FAIL))).extracting(Finding::severity).containsExactly(Severity.WARN);
	}

	@Test
	void examineWhenNothingIsWrittenDownFindsIt() {
		this.redis.configure("appendonly", "no");
		assertThat(examine(all(Severity.WARN))).extracting(Finding::check).containsExactly(Check.PERSISTENCE);
	}

	@Test
	void examineWhenMemoryIsShortFindsIt() {
		this.redis.configure("maxmemory", "1000000");
		assertThat(examine(all(Severity.WARN))).extracting(Finding::check).containsExactly(Check.MEMORY);
	}

	@Test
	void examineWhenClocksDifferFindsIt() {
		Clock clock = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(2));
		Doctor doctor = new Doctor(this.redis.redis().connections(), "p", clock, all(Severity.WARN), () -> true,
				List.of());
		assertThat(doctor.examine()).singleElement()
			.asString()
			.startsWith("The clock of Redis is 1")
			.contains(" s behind that of this machine");
	}

	@Test
	void examineWhenReplicasAreReadSaysThatItDoesNotApply() {
		LettuceClientConfiguration client = LettuceClientConfiguration.builder()
			.readFrom(ReadFrom.REPLICA_PREFERRED)
			.shutdownQuietPeriod(Duration.ZERO)
			.build();
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration(this.redis.host(), this.redis.port()), client);
		factory.afterPropertiesSet();
		factory.start();
		try (RedisConnections connections = new RedisConnections(factory)) {
			assertThat(doctor(connections, all(Severity.INFO)).examine()).extracting(Finding::check)
				.containsExactly(Check.REPLICA_READS);
		}
		finally {
			factory.destroy();
		}
	}

	@Test
	void checksAreThoseThatAreMade() {
		Map<Check, Severity> severities = all(Severity.WARN);
		severities.put(Check.EVICTION, Severity.OFF);
		severities.remove(Check.PERSISTENCE);
		assertThat(doctor(this.redis.redis().connections(), severities).checks()).containsExactlyInAnyOrder(
				Check.REPLICA_READS, Check.VERSION, Check.CLOCK_SKEW, Check.MEMORY, Check.PAUSES);
	}

	@Test
	void examineWhenInfoIsNotAllowedJudgesNothing() {
		this.redis.configure("appendonly", "no");
		try (RedisUser user = RedisUser.create(this.redis, "jobs");
				RedisConnections connections = new RedisConnections(user.connectionFactory())) {
			user.change("-info");
			assertThat(doctor(connections, all(Severity.ERROR)).examine()).isEmpty();
		}
	}

	@Test
	void examineWhenALaterExaminationWasFasterDoesNotLogWhatIsOutdated(CapturedOutput output) {
		AtomicReference<Doctor> doctor = new AtomicReference<>();
		AtomicInteger examinations = new AtomicInteger();
		Examination slow = new Examination() {

			@Override
			public Check check() {
				return Check.UNKNOWN_JOBS;
			}

			@Override
			public Optional<Finding> examine() {
				if (examinations.incrementAndGet() > 1) {
					return Optional.empty();
				}
				assertThat(doctor.get().examine()).isEmpty();
				return Optional.of(new Finding(Check.UNKNOWN_JOBS, Severity.WARN, "outdated", ""));
			}

		};
		doctor.set(new Doctor(this.redis.redis().connections(), "p", Clock.systemUTC(), all(Severity.WARN), () -> true,
				List.of(slow)));
		assertThat(doctor.get().examine()).hasSize(1);
		assertThat(output).doesNotContain("outdated");
	}

	@Test
	@DisplayName("SK-31: the doctor reports pauses")
	void examineWhenSomethingIsPausedSaysSoUntilItIsResumed() {
		PauseStore pauses = new PauseStore(this.redis.redis().connections(), this.redis.redis().prefix());
		pauses.change(Target.job("Mail.send"), (standing) -> true, Order.byPerson(null, "ann", "Wrong letters"));
		assertThat(examine(all(Severity.FAIL))).singleElement().satisfies((finding) -> {
			assertThat(finding.check()).isEqualTo(Check.PAUSES);
			assertThat(finding.severity()).isEqualTo(Severity.INFO);
			assertThat(finding.problem()).contains("job Mail.send (by ann since ", ": Wrong letters)");
		});
		Map<Check, Severity> severities = all(Severity.WARN);
		severities.put(Check.PAUSES, Severity.OFF);
		assertThat(examine(severities)).isEmpty();
		pauses.change(Target.job("Mail.send"), (standing) -> true, null);
		assertThat(examine(all(Severity.FAIL))).isEmpty();
	}

	@Test
	void examineWhenPausesCannotBeReadFindsTheRest() {
		this.redis.configure("appendonly", "no");
		this.redis.redis().template().opsForHash().put(this.redis.redis().prefix() + ":pauses", "queue:mail", "?");
		assertThat(examine(all(Severity.WARN))).extracting(Finding::check).containsExactly(Check.PERSISTENCE);
	}

	@Test
	void examineWhenChecksAreOffDoesNotLook() {
		this.redis.configure("maxmemory-policy", "allkeys-lru");
		this.redis.configure("appendonly", "no");
		Map<Check, Severity> severities = all(Severity.WARN);
		severities.put(Check.EVICTION, Severity.OFF);
		severities.remove(Check.PERSISTENCE);
		assertThat(examine(severities)).isEmpty();
	}

	@Test
	void examineWhenFoundAgainLogsOnceUntilItIsGone(CapturedOutput output) {
		Doctor doctor = doctor(this.redis.redis().connections(), all(Severity.ERROR));
		this.redis.configure("maxmemory-policy", "volatile-lru");
		doctor.examine();
		doctor.examine();
		assertThat(lines(output)).containsExactly("WARN");
		this.redis.configure("maxmemory-policy", "allkeys-lru");
		doctor.examine();
		assertThat(lines(output)).containsExactly("WARN", "ERROR");
		this.redis.configure("maxmemory-policy", "noeviction");
		doctor.examine();
		this.redis.configure("maxmemory-policy", "allkeys-lru");
		doctor.examine();
		assertThat(lines(output)).containsExactly("WARN", "ERROR", "ERROR");
	}

	@Test
	void examineWhenInClusterLooksAtEachPrimary() {
		try (ClusterRedis cluster = ClusterRedis.start();
				RedisConnections connections = new RedisConnections(cluster.connectionFactory())) {
			assertThat(doctor(connections, all(Severity.WARN)).examine()).singleElement()
				.asString()
				.startsWith(cluster.node() + ": Redis has no append-only file");
		}
	}

	@Test
	void judgeWhenSeveralNodesAreConcernedNamesEach() {
		Doctor doctor = doctor(this.redis.redis().connections(), all(Severity.FAIL));
		List<Finding> findings = doctor
			.judge(List.of(node("a:1", "volatile-lru"), node("b:1", "noeviction"), node("c:1", "allkeys-lru")));
		assertThat(findings).singleElement().satisfies((finding) -> {
			assertThat(finding.severity()).isEqualTo(Severity.FAIL);
			assertThat(finding.problem())
				.contains("a:1: Redis has 'maxmemory-policy volatile-lru'",
						" c:1: Redis has 'maxmemory-policy allkeys-lru'")
				.doesNotContain("b:1");
		});
	}

	@Test
	void lookForLossesWhenDataAreOlderOrGoneSaysHowMuchOnceAndWhy(CapturedOutput output) {
		this.redis.configure("maxmemory-policy", "allkeys-lru");
		Doctor doctor = doctor(this.redis.redis().connections(), all(Severity.OFF));
		data("older", "epoch", 20);
		data("gone", "epoch", 20);
		data("sound", "epoch", 20);
		doctor.lookForLosses();
		assertThat(doctor.dataLosses()).isEmpty();
		data("older", "epoch", 15);
		data("sound", "epoch", 30);
		this.redis.redis().template().delete(this.redis.redis().key("gone", "meta"));
		this.redis.redis().template().delete(this.redis.redis().prefix() + ":queues");
		doctor.lookForLosses();
		data("older", "epoch", 16);
		data("gone", "another", 40);
		doctor.lookForLosses();
		assertThat(doctor.dataLosses()).isEqualTo(Map.of("older", "its last 5 changes", "gone", "everything"));
		assertThat(output)
			.containsOnlyOnce("Redis has lost data: everything of queue gone, its last 5 changes of queue older. ")
			.contains(
					"It has 'maxmemory-policy allkeys-lru' and drops keys when its memory is full: set 'noeviction'.");
	}

	private void data(String queue, String epoch, long seq) {
		TestRedis own = this.redis.redis();
		own.template().opsForSet().add(own.prefix() + ":queues", queue);
		own.template().opsForHash().putAll(own.key(queue, "meta"), Map.of("epoch", epoch, "seq", Long.toString(seq)));
	}

	@Test
	void examineWhenOtherChecksFindSomethingReportsItNoWorseThanItCanBe() {
		Finding found = new Finding(Check.RECURRING, Severity.WARN, "One is late.", "Look.");
		for (Severity severity : Severity.values()) {
			Doctor doctor = new Doctor(this.redis.redis().connections(), "p", Clock.systemUTC(),
					Map.of(Check.RECURRING, severity), () -> true, List.of(new Examination() {

						@Override
						public Check check() {
							return Check.RECURRING;
						}

						@Override
						public Optional<Finding> examine() {
							return Optional.of(found);
						}

					}));
			List<Finding> findings = doctor.examine();
			if (severity == Severity.OFF) {
				assertThat(findings).isEmpty();
			}
			else {
				Severity expected = (severity == Severity.INFO) ? Severity.INFO : Severity.WARN;
				assertThat(findings).containsExactly(new Finding(Check.RECURRING, expected, "One is late.", "Look."));
			}
			assertThat(doctor.examineAfterStart()).isEmpty();
			assertThat(doctor.examineAtStart()).isEmpty();
		}
	}

	private static ServerFacts node(String node, String policy) {
		return new ServerFacts(node, Map.of("maxmemory_policy", policy, "redis_version", "7.0.15"), Duration.ZERO,
				Duration.ZERO);
	}

	private static List<String> lines(CapturedOutput output) {
		return output.getAll()
			.lines()
			.filter((line) -> line.contains("(steadyjobs.doctor.severity.eviction)"))
			.map((line) -> line.contains("ERROR") ? "ERROR" : line.contains("WARN") ? "WARN" : "INFO")
			.toList();
	}

	private List<Finding> examine(Map<Check, Severity> severities) {
		return doctor(this.redis.redis().connections(), severities).examine();
	}

	private Doctor doctor(RedisConnections connections, Map<Check, Severity> severities) {
		return new Doctor(connections, this.redis.redis().prefix(), Clock.systemUTC(), severities, () -> true,
				List.of());
	}

	/**
	 * Return the same severity for all checks, except that the round-trip check is
	 * switched off, because round trips may be slow on a machine under load.
	 */
	private static Map<Check, Severity> all(Severity severity) {
		Map<Check, Severity> severities = new EnumMap<>(Check.class);
		Arrays.stream(Check.values()).forEach((check) -> severities.put(check, severity));
		severities.put(Check.ROUND_TRIP, Severity.OFF);
		return severities;
	}

}

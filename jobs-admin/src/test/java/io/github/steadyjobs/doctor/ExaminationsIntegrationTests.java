package io.github.steadyjobs.doctor;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.doctor.Finding.Severity;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Examinations}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ExaminationsIntegrationTests {

	private static final String FOUND = "(steadyjobs.doctor.severity.eviction)";

	private final OwnRedis redis = OwnRedis.start("--maxmemory-policy", "allkeys-lru");

	private Doctor doctor;

	@AfterEach
	void close() {
		this.redis.close();
	}

	@Test
	void startWhenFindingFailsRefuses() {
		Examinations examination = examination(Severity.FAIL);
		assertThatExceptionOfType(UnfitRedisException.class).isThrownBy(examination::start)
			.withMessageStartingWith(
					"Redis at 127.0.0.1:%d, database 0, prefix 'p' is not fit for jobs: ".formatted(this.redis.port()))
			.withMessageContaining("'maxmemory-policy allkeys-lru'")
			.satisfies((ex) -> assertThat(ex.findings()).extracting(Finding::check).containsExactly(Check.EVICTION));
		assertThat(examination.isRunning()).isFalse();
	}

	@Test
	void startWhenFindingIsAnErrorLogsItAndGoesOn(CapturedOutput output) {
		Examinations examination = examination(Severity.ERROR);
		examination.start();
		assertThat(examination.isRunning()).isTrue();
		Awaitility.await().until(() -> output.getAll().contains(FOUND));
		assertThat(output).contains("127.0.0.1:%d, database 0, prefix 'p': Redis has".formatted(this.redis.port()));
		examination.stop();
		assertThat(examination.isRunning()).isFalse();
	}

	@Test
	void startWhenRedisIsAwayGoesOnAndExaminesItLater(CapturedOutput output) {
		this.redis.kill();
		Examinations examination = examination(Severity.FAIL);
		examination.start();
		assertThat(examination.isRunning()).isTrue();
		this.redis.restart();
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> output.getAll().contains(FOUND));
		examination.stop();
	}

	@Test
	void startWhenRedisStandsStillDoesNotWait() {
		RedisConnections connections = this.redis.redis().connections();
		this.redis.freeze();
		Examinations examination = examinations(connections, Map.of(Check.EVICTION, Severity.ERROR), true);
		// If this call waited for an answer, it would hang.
		examination.start();
		assertThat(examination.isRunning()).isTrue();
		examination.stop();
		this.redis.thaw();
	}

	@Test
	void startWhenEverythingIsOffOpensNoConnection() {
		Examinations examination = examination(Severity.OFF);
		examination.start();
		assertThat(examination.isRunning()).isFalse();
	}

	@Test
	void startMeasuresRoundTripsOnceTheStartIsOver(CapturedOutput output) {
		String slow = "(steadyjobs.doctor.severity.round-trip)";
		try (TcpRelay relay = TcpRelay.to(this.redis.host(), this.redis.port());
				RedisConnections connections = new RedisConnections(relay.connectionFactory(Duration.ofSeconds(10)))) {
			Map<Check, Severity> severities = Map.of(Check.EVICTION, Severity.WARN, Check.ROUND_TRIP, Severity.WARN);
			Examinations examinations = examinations(connections, severities, true);
			relay.delay(Duration.ofMillis(30));
			examinations.start();
			Awaitility.await().until(() -> output.getAll().contains(FOUND));
			assertThat(output).doesNotContain(slow);
			examinations.ready();
			Awaitility.await().until(() -> output.getAll().contains(slow));
			examinations.stop();
		}
	}

	@Test
	void startWhenRoundTripIsAReasonNotToStartMeasuresItBefore() {
		try (TcpRelay relay = TcpRelay.to(this.redis.host(), this.redis.port());
				RedisConnections connections = new RedisConnections(relay.connectionFactory(Duration.ofSeconds(10)))) {
			relay.delay(Duration.ofMillis(30));
			Examinations examinations = examinations(connections, Map.of(Check.ROUND_TRIP, Severity.FAIL), true);
			assertThatExceptionOfType(UnfitRedisException.class).isThrownBy(examinations::start)
				.withMessageContaining("An answer of Redis takes");
		}
	}

	@Test
	void readyWhenNoJobsRunGoesOnToLookForLostData() {
		TestRedis redis = this.redis.redis();
		Examinations examinations = examinations(redis.connections(), Map.of(Check.EVICTION, Severity.WARN), false);
		examinations.start();
		examinations.ready();
		JobStore store = new JobStore(redis.connections(), "p");
		Awaitility.await().until(() -> {
			redis.template().delete("p:{q}:meta");
			store.enqueue("q", new NewJob("0".repeat(24), new byte[0], null));
			return !this.doctor.dataLosses().isEmpty();
		});
		examinations.stop();
		assertThat(this.doctor.dataLosses()).isEqualTo(Map.of("q", "everything"));
	}

	private Examinations examination(Severity eviction) {
		return examinations(this.redis.redis().connections(), Map.of(Check.EVICTION, eviction), true);
	}

	private Examinations examinations(RedisConnections connections, Map<Check, Severity> severities, boolean runsJobs) {
		this.doctor = new Doctor(connections, "p", Clock.systemUTC(), severities, () -> runsJobs, List.of());
		return new Examinations(this.doctor, Duration.ofMillis(10));
	}

}

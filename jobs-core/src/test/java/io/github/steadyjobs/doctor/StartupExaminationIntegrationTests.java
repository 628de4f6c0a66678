package io.github.steadyjobs.doctor;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;

import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ServerProbe;
import io.github.steadyjobs.support.OwnRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link StartupExamination}.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartupExaminationIntegrationTests {

	private static final String FOUND = "(steadyjobs.doctor.severity.eviction)";

	private final OwnRedis redis = OwnRedis.start("--maxmemory-policy", "allkeys-lru");

	@AfterEach
	void close() {
		this.redis.close();
	}

	@Test
	void startWhenFindingFailsRefuses() {
		StartupExamination examination = examination(Severity.FAIL);
		assertThatExceptionOfType(UnfitRedisException.class).isThrownBy(examination::start)
			.withMessageStartingWith(
					"Redis at 127.0.0.1:%d, database 0, prefix 'p' is not fit for jobs: ".formatted(this.redis.port()))
			.withMessageContaining("'maxmemory-policy allkeys-lru'")
			.satisfies((ex) -> assertThat(ex.findings()).extracting(Finding::check).containsExactly(Check.EVICTION));
		assertThat(examination.isRunning()).isFalse();
	}

	@Test
	void startWhenFindingIsAnErrorLogsItAndGoesOn(CapturedOutput output) {
		StartupExamination examination = examination(Severity.ERROR);
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
		StartupExamination examination = examination(Severity.FAIL);
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
		StartupExamination examination = new StartupExamination(doctor(connections, Severity.ERROR), Duration.ZERO);
		// Would hang for as long as the server does.
		examination.start();
		assertThat(examination.isRunning()).isTrue();
		examination.stop();
		this.redis.thaw();
	}

	@Test
	void startWhenEverythingIsOffOpensNoConnection() {
		StartupExamination examination = examination(Severity.OFF);
		examination.start();
		assertThat(examination.isRunning()).isFalse();
	}

	private StartupExamination examination(Severity eviction) {
		return new StartupExamination(doctor(this.redis.redis().connections(), eviction), Duration.ofMillis(50));
	}

	private Doctor doctor(RedisConnections connections, Severity eviction) {
		return new Doctor(new ServerProbe(connections, "p", Clock.systemUTC()), Map.of(Check.EVICTION, eviction),
				() -> true);
	}

}

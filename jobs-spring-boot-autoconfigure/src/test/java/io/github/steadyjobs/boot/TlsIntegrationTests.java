package io.github.steadyjobs.boot;

import java.nio.file.Path;
import java.util.stream.Stream;

import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.support.TlsRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for applications that connect to Redis with TLS and SSL bundles of Spring Boot,
 * and for applications in which only the client or only the server uses TLS.
 */
@Tag("installed-redis")
@ExtendWith(OutputCaptureExtension.class)
class TlsIntegrationTests {

	private static final String TRUST = "spring.ssl.bundle.pem.redis.truststore.certificate=file:%s";

	private static final String CERTIFICATE = "spring.ssl.bundle.pem.redis.keystore.certificate=file:%s";

	private static final String KEY = "spring.ssl.bundle.pem.redis.keystore.private-key=file:%s";

	private static final String BUNDLE = "spring.data.redis.ssl.bundle=redis";

	@TempDir
	Path directory;

	@Test
	void runWhenBundleTrustsTheServerUsesTls() {
		try (TlsRedis redis = start("--tls-auth-clients", "no");
				ConfigurableApplicationContext application = run(redis.tlsPort(), BUNDLE,
						TRUST.formatted(redis.certificate()))) {
			RedisSettingsIntegrationTests.assertRuns(application, "encrypted");
			assertThat(application.getBean(JobsHealthIndicator.class).health().getDetails().get("redis"))
				.hasToString("127.0.0.1:%d, database 0, TLS, prefix 'steadyjobs'".formatted(redis.tlsPort()));
		}
	}

	@Test
	void runWhenServerWantsACertificateSendsThatOfTheBundle() {
		try (TlsRedis redis = start("--tls-auth-clients", "yes");
				ConfigurableApplicationContext application = run(redis.tlsPort(), BUNDLE,
						TRUST.formatted(redis.certificate()), CERTIFICATE.formatted(redis.certificate()),
						KEY.formatted(redis.key()))) {
			RedisSettingsIntegrationTests.assertRuns(application, "signed");
		}
	}

	@Test
	void runWhenClusterSpeaksTlsReachesItsNodesByIt() {
		try (TlsRedis redis = start("--tls-auth-clients", "no", "--cluster-enabled", "yes", "--tls-cluster", "yes",
				"--cluster-announce-ip", "127.0.0.1")) {
			redis.server().execute("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
			try (ConfigurableApplicationContext application = Applications.run(NotingJobs.class,
					"spring.data.redis.cluster.nodes=127.0.0.1:" + redis.tlsPort(), BUNDLE,
					TRUST.formatted(redis.certificate()))) {
				await().ignoreExceptionsInstanceOf(JobStoreUnavailableException.class).until(() -> {
					NotingJobs.enqueue(application, "in a cluster");
					return true;
				});
				application.getBean(Notes.class).await("in a cluster");
			}
		}
	}

	@Test
	void runWhenServerWantsACertificateAndBundleHasNoneSaysSo(CapturedOutput output) {
		try (TlsRedis redis = start("--tls-auth-clients", "yes");
				ConfigurableApplicationContext application = run(redis.tlsPort(), BUNDLE,
						TRUST.formatted(redis.certificate()))) {
			assertSays(application, output, "do not agree on TLS (Received fatal alert: certificate_required)",
					"'spring.data.redis.ssl.bundle'");
		}
	}

	@Test
	void runWhenNoBundleTrustsTheServerSaysSo(CapturedOutput output) {
		try (TlsRedis redis = start("--tls-auth-clients", "no");
				ConfigurableApplicationContext application = run(redis.tlsPort(),
						"spring.data.redis.ssl.enabled=true")) {
			assertSays(application, output, "do not agree on TLS (unable to find valid certification path",
					"'spring.data.redis.ssl.bundle'");
		}
	}

	@Test
	void runWhenOnlyTheApplicationSpeaksTlsSaysSo(CapturedOutput output) {
		try (TlsRedis redis = start();
				ConfigurableApplicationContext application = run(redis.server().port(),
						"spring.data.redis.ssl.enabled=true")) {
			assertSays(application, output, "did not answer in time", "'spring.data.redis.ssl.enabled' is true");
		}
	}

	@Test
	void runWhenOnlyTheServerSpeaksTlsSaysSo(CapturedOutput output) {
		try (TlsRedis redis = start(); ConfigurableApplicationContext application = run(redis.tlsPort())) {
			assertSays(application, output, "closed the connection before it answered",
					"set 'spring.data.redis.ssl.enabled'");
		}
	}

	@Test
	void runWhenTheApplicationOnlyEnqueuesItsDoctorSaysSo(CapturedOutput output) {
		try (TlsRedis redis = start();
				ConfigurableApplicationContext application = run(redis.tlsPort(), "steadyjobs.worker.enabled=false")) {
			await().until(() -> output.toString()
				.contains("Redis cannot be examined yet: Redis at 127.0.0.1:%d, database 0 closed the connection"
					.formatted(redis.tlsPort())));
		}
	}

	/**
	 * Check that the exception, the health and the log of an application that has just
	 * started all contain the explanation.
	 */
	private static void assertSays(ConfigurableApplicationContext application, CapturedOutput output, String what,
			String property) {
		assertThatExceptionOfType(JobStoreUnavailableException.class)
			.isThrownBy(() -> NotingJobs.enqueue(application, "lost"))
			.withMessageContaining(what)
			.withMessageContaining(property);
		Health health = application.getBean(JobsHealthIndicator.class).health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails().get("error")).asString().contains(what, property);
		await().untilAsserted(() -> assertThat(output.toString()).contains(what, property));
	}

	private TlsRedis start(String... arguments) {
		return TlsRedis.start(this.directory, arguments);
	}

	private static ConfigurableApplicationContext run(int port, String... properties) {
		return Applications.run(NotingJobs.class,
				Stream
					.concat(Stream.of("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + port),
							Stream.of(properties))
					.toArray(String[]::new));
	}

}

package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for the conditions under which {@link EmbeddedRedisAutoConfiguration} starts a
 * server. Here, each attempt to start one fails.
 */
@ExtendWith(OutputCaptureExtension.class)
class EmbeddedRedisAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(EmbeddedRedisAutoConfiguration.class))
		// Any attempt to start a server would fail immediately.
		.withPropertyValues("steadyjobs.embedded.executable=/nowhere/redis-server");

	@Test
	void serverWhenNothingIsConfiguredIsStarted() {
		this.runner.run((context) -> assertThat(context).getFailure()
			.hasRootCauseInstanceOf(IOException.class)
			.hasStackTraceContaining(EmbeddedRedisException.class.getName()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.data.redis.host=localhost", "spring.data.redis.port=6379",
			"spring.data.redis.url=redis://localhost", "spring.data.redis.cluster.nodes=a:1,b:2",
			"spring.data.redis.cluster.nodes[0]=a:1", "spring.data.redis.masterreplica.nodes=a:1",
			"spring.data.redis.sentinel.master=main", "spring.data.redis.sentinel.nodes=a:1",
			"spring.data.redis.HOST=localhost", "steadyjobs.embedded.enabled=false" })
	void serverWhenPropertySaysOtherwiseIsNotStarted(String property) {
		this.runner.withPropertyValues(property).run(this::assertNoServer);
	}

	@ParameterizedTest
	@ValueSource(strings = { "SPRING_DATA_REDIS_HOST", "SPRING_DATA_REDIS_URL", "SPRING_DATA_REDIS_SENTINEL_MASTER",
			"SPRING_DATA_REDIS_CLUSTER_NODES_0" })
	void serverWhenEnvironmentSaysOtherwiseIsNotStarted(String variable) {
		this.runner
			.withInitializer(
					(context) -> context.getEnvironment()
						.getPropertySources()
						.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment",
								Map.of(variable, "redis://a:1"))))
			.run(this::assertNoServer);
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.data.redis.host=", "spring.data.redis.url=", "spring.data.redis.database=1",
			"spring.data.redis.timeout=1s", "spring.data.redis.lettuce.cluster.refresh.adaptive=true" })
	void serverWhenPropertyGivesNoAddressIsStarted(String property) {
		this.runner.withPropertyValues(property).run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void serverWhenConnectionDetailsAreDefinedIsNotStarted() {
		this.runner.withBean("details", DataRedisConnectionDetails.class, () -> new DataRedisConnectionDetails() {

			@Override
			public Standalone getStandalone() {
				return Standalone.of("localhost", 6379);
			}

		}).run(this::assertNoServer);
	}

	@Test
	void serverWhenConnectionFactoryIsDefinedIsNotStarted() {
		this.runner.withBean(RedisConnectionFactory.class, () -> mock(RedisConnectionFactory.class))
			.run(this::assertNoServer);
	}

	@Test
	void serverWhenRedisConfigurationIsDefinedIsNotStarted() {
		this.runner.withBean(RedisStandaloneConfiguration.class).run(this::assertNoServer);
	}

	@Test
	void serverWhenProcessedAheadOfTimeIsNotPartOfTheApplication(CapturedOutput output) {
		this.runner.withSystemProperties("spring.aot.processing=true").run(this::assertNoServer);
		assertThat(output).containsOnlyOnce("so it gets no embedded Redis. Set 'spring.data.redis.*'");
	}

	@Test
	void reportWhenRedisIsConfiguredNamesTheProperty() {
		this.runner.withPropertyValues("spring.data.redis.host=localhost").run((context) -> {
			ConditionEvaluationReport report = ConditionEvaluationReport.get(context.getBeanFactory());
			assertThat(report.getConditionAndOutcomesBySource().get(EmbeddedRedisAutoConfiguration.class.getName()))
				.anySatisfy((condition) -> assertThat(condition.getOutcome().getMessage())
					.isEqualTo("Embedded Redis found property spring.data.redis.host"));
		});
	}

	private void assertNoServer(AssertableApplicationContext context) {
		assertThat(context).hasNotFailed().doesNotHaveBean(EmbeddedRedisConnectionDetails.class);
	}

}

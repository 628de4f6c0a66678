package io.github.steadyjobs.boot;

import io.github.steadyjobs.boot.JobsObservationAutoConfiguration.Observed;
import io.github.steadyjobs.client.EnqueueObserver;
import io.github.steadyjobs.client.JobClientSettings;
import io.github.steadyjobs.observation.JobProcessContext;
import io.github.steadyjobs.observation.JobProcessObserver;
import io.github.steadyjobs.observation.JobPublishContext;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationTextPublisher;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationRegistryCustomizer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link JobsObservationAutoConfiguration}.
 */
class JobsObservationAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
				JobsObservationAutoConfiguration.class))
		.withPropertyValues("spring.data.redis.port=1");

	private final ApplicationContextRunner observed = this.runner
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class, ObservationAutoConfiguration.class));

	@Test
	void applicationWithoutObservationsHasObserversThatDoNothing() {
		this.runner
			.withClassLoader(new FilteredClassLoader("io.micrometer.core", "io.micrometer.context",
					"org.springframework.boot.micrometer"))
			.run((context) -> {
				assertThat(context).hasSingleBean(JobProcessObserver.class).doesNotHaveBean(Observed.class);
				assertThat(context.getBean(JobClientSettings.class).observer().begin("id", "job", "queue"))
					.isSameAs(EnqueueObserver.Call.NONE);
			});
	}

	@Test
	void applicationThatOnlyMakesMetersDoesNotObserveJobs() {
		this.observed.run((context) -> {
			assertThat(context.getBean(ObservationRegistry.class).isNoop()).isFalse();
			assertThat(context.getBean(Observed.class).registry().isNoop()).isTrue();
		});
	}

	@Test
	void applicationWithAnotherHandlerObservesJobs() {
		this.observed.withUserConfiguration(WithHandler.class)
			.run((context) -> assertThat(context.getBean(Observed.class).registry())
				.isSameAs(context.getBean(ObservationRegistry.class)));
		this.observed.withUserConfiguration(WithCustomizer.class)
			.run((context) -> assertThat(context.getBean(Observed.class).registry())
				.isSameAs(context.getBean(ObservationRegistry.class)));
	}

	@Test
	void registryOfTheApplicationIsUsedAsItIs() {
		ObservationRegistry own = new OwnRegistry();
		this.observed.withBean(ObservationRegistry.class, () -> own)
			.run((context) -> assertThat(context.getBean(Observed.class).registry()).isSameAs(own));
	}

	@Test
	void metersAreMadeOfOtherObservationsOnly() {
		this.observed.run((context) -> {
			MeterObservationHandler<?> meters = context.getBean(MeterObservationHandler.class);
			assertThat(meters.supportsContext(new Observation.Context())).isTrue();
			assertThat(meters.supportsContext(mock(JobPublishContext.class))).isFalse();
			assertThat(meters.supportsContext(mock(JobProcessContext.class))).isFalse();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "jobId", "traceId", "jobOutcome", "tenant,capsule" })
	void keyThatEachRunHasItselfIsRefused(String keys) {
		this.runner.withPropertyValues("steadyjobs.context.keys=" + keys)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(JobsPropertyException.class)
				.hasMessageContaining("steadyjobs.context.keys"));
	}

	@Configuration(proxyBeanMethods = false)
	static class WithHandler {

		@Bean
		ObservationHandler<Observation.Context> publisher() {
			return new ObservationTextPublisher();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WithCustomizer {

		@Bean
		ObservationRegistryCustomizer<ObservationRegistry> customizer() {
			return (registry) -> registry.observationConfig().observationHandler(new ObservationTextPublisher());
		}

	}

	private static final class OwnRegistry implements ObservationRegistry {

		private final ObservationConfig config = new ObservationConfig();

		@Override
		public @Nullable Observation getCurrentObservation() {
			return null;
		}

		@Override
		public Observation.@Nullable Scope getCurrentObservationScope() {
			return null;
		}

		@Override
		public void setCurrentObservationScope(Observation.@Nullable Scope current) {
			throw new UnsupportedOperationException();
		}

		@Override
		public ObservationConfig observationConfig() {
			return this.config;
		}

	}

}

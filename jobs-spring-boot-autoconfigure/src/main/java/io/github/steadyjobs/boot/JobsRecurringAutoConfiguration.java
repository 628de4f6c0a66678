package io.github.steadyjobs.boot;

import java.util.Map;
import java.util.Objects;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.EnqueueListener;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.activity.OperatorChange;
import io.github.steadyjobs.boot.JobsEndpoint.Subjects;
import io.github.steadyjobs.client.JobClientFactory;
import io.github.steadyjobs.client.JobClientSettings;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.client.PreparingJobClient;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.doctor.Doctor;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.recurring.RecurringMetrics;
import io.github.steadyjobs.recurring.RecurringSettings;
import io.github.steadyjobs.recurring.RecurringTick;
import io.github.steadyjobs.recurring.RecurringWorker;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.Launcher;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for recurring jobs.
 */
@AutoConfiguration(after = { JobsAutoConfiguration.class, JobsWorkerAutoConfiguration.class },
		afterName = { "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(RecurringJobs.class)
@ConditionalOnBean(JobsProperties.class)
public final class JobsRecurringAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RecurringJobs steadyJobsRecurringJobs(RedisConnections connections, JobsProperties properties,
			// Providers avoid a cycle: an interceptor of the client may need this bean.
			ObjectProvider<JobClient> client, JobRegistry registry, ObjectProvider<OperatorChange.Listener> activity) {
		return new RecurringJobs(connections, properties.prefix(), client::getObject, registry,
				(change) -> activity.getIfAvailable(() -> OperatorChange.Listener.LOG).changed(change));
	}

	/**
	 * Created even if there are no workers, so that tests can read the declarations in
	 * annotations.
	 */
	@Bean
	RecurringSettings steadyJobsRecurringSettings(ConfigurableListableBeanFactory beanFactory, Environment environment,
			ObjectProvider<BuildProperties> build, JobsProperties properties) {
		BuildProperties built = build.getIfAvailable();
		return new RecurringSettings(environment.getProperty("spring.application.name", ""),
				(built != null) ? built.getTime() : null, JobOverrides.recurring(properties.recurring()),
				(text) -> Objects.requireNonNullElse(beanFactory.resolveEmbeddedValue(text), ""),
				properties.ticks().lateAfter());
	}

	@Bean
	RecurringReport steadyJobsRecurringReport(RecurringJobs jobs, JobsProperties properties) {
		return new RecurringReport(jobs, properties.ticks().lateAfter());
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(Launcher.class)
	RecurringWorker steadyJobsRecurringWorker(RecurringJobs jobs, JobClient client, JobRegistry registry,
			RecurringSettings settings, ObjectProvider<RecurringTick.Listener> tickListeners,
			ObjectProvider<JobListener> listeners, JobStore store, PayloadCodec codec,
			ObjectProvider<ClientInterceptor> interceptors, ObjectProvider<EnqueueListener> enqueueListeners,
			JobClientSettings clientSettings) {
		// The application may have replaced the client with its own implementation. A
		// bean of this type would be a second client for the whole application.
		PreparingJobClient preparing = (client instanceof PreparingJobClient prepares) ? prepares
				: JobClientFactory.create(store, codec, registry, interceptors.orderedStream().toList(),
						enqueueListeners.orderedStream().toList(), clientSettings);
		return new RecurringWorker(jobs, preparing, registry, settings, tickListeners::orderedStream,
				listeners::orderedStream);
	}

	/**
	 * Adds meters, if Micrometer is present.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean({ MeterRegistry.class, Launcher.class })
	static class Metrics {

		@Bean
		@ConditionalOnMissingBean
		RecurringMetrics steadyJobsRecurringMetrics(MeterRegistry registry) {
			return new RecurringMetrics(registry);
		}

	}

	/**
	 * Adds recurring jobs with late ticks to health.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(HealthIndicator.class)
	static class Health {

		@Bean
		JobsHealthPart steadyJobsRecurringHealth(RecurringReport report) {
			return new RecurringHealth(report);
		}

	}

	/**
	 * Adds a check to the doctor that finds recurring jobs that do not run.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(Doctor.class)
	static class Examination {

		@Bean
		RecurringCheck steadyJobsRecurringCheck(RecurringReport report) {
			return new RecurringCheck(report);
		}

	}

	/**
	 * Adds recurring jobs to the endpoint, if it is exposed.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
	@ConditionalOnAvailableEndpoint(JobsEndpoint.class)
	static class Actuator {

		@Bean
		Subjects steadyJobsRecurringSubjects(RecurringJobs jobs) {
			return new Subjects(Map.of("recurring", new RecurringSubject(jobs)));
		}

	}

}

package io.github.steadyjobs.boot;

import io.github.steadyjobs.client.EnqueueObserver;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.observation.CarriedContext;
import io.github.steadyjobs.observation.JobProcessContext;
import io.github.steadyjobs.observation.JobProcessObservationConvention;
import io.github.steadyjobs.observation.JobProcessObserver;
import io.github.steadyjobs.observation.JobPublishContext;
import io.github.steadyjobs.observation.JobPublishObservationConvention;
import io.github.steadyjobs.observation.JobPublishObserver;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationRegistryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for observations of background jobs,
 * and for the context that travels with them.
 */
@AutoConfiguration(after = { JobsAutoConfiguration.class, JobsWorkerAutoConfiguration.class })
@ConditionalOnBean(JobRegistry.class)
public final class JobsObservationAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	CarriedContext steadyJobsCarriedContext(JobsProperties properties) {
		return new CarriedContext(properties.context().keys());
	}

	@Bean
	@ConditionalOnMissingBean(EnqueueObserver.class)
	JobPublishObserver steadyJobsPublishObserver(ObjectProvider<Observed> observed,
			ObjectProvider<JobPublishObservationConvention> convention, CarriedContext context) {
		return new JobPublishObserver(registry(observed), convention.getIfAvailable(), context);
	}

	@Bean
	@ConditionalOnMissingBean
	JobProcessObserver steadyJobsProcessObserver(ObjectProvider<Observed> observed,
			ObjectProvider<JobProcessObservationConvention> convention) {
		return new JobProcessObserver(registry(observed), convention.getIfAvailable());
	}

	private static ObservationRegistry registry(ObjectProvider<Observed> observed) {
		return observed.stream().map(Observed::registry).findAny().orElse(ObservationRegistry.NOOP);
	}

	/**
	 * Holds the registry for the observations of jobs. The registry is wrapped, because
	 * another bean of type {@link ObservationRegistry} would affect the whole
	 * application.
	 *
	 * @param registry the registry
	 */
	record Observed(ObservationRegistry registry) {

	}

	/**
	 * Finds the registry of an application that has Spring Boot's module for
	 * observations, and keeps its handlers for meters away from observations of jobs.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ MeterObservationHandler.class, ObservationRegistryCustomizer.class })
	static class Registry {

		/**
		 * Holds the no-op registry if the application has meters but no tracer, because
		 * nothing would use the observations.
		 */
		@Bean
		Observed steadyJobsObserved(ObjectProvider<ObservationRegistry> registry,
				ObjectProvider<ObservationHandler<?>> handlers,
				ObjectProvider<ObservationRegistryCustomizer<?>> customizers) {
			ObservationRegistry found = registry.getIfAvailable(() -> ObservationRegistry.NOOP);
			boolean isPlain = found.getClass() == ObservationRegistry.create().getClass();
			boolean onlyMeters = isPlain && customizers.stream().findAny().isEmpty()
					&& handlers.stream().allMatch(MeterObservationHandler.class::isInstance);
			return new Observed(onlyMeters ? ObservationRegistry.NOOP : found);
		}

		@Bean
		static BeanPostProcessor steadyJobsNoMetersOfObservations() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String beanName) {
					return (bean instanceof MeterObservationHandler<?> handler) ? new MetersOfOthers(handler) : bean;
				}

			};
		}

	}

	/**
	 * Makes meters of all observations except those of jobs, which have their own meters.
	 */
	static final class MetersOfOthers extends FirstMatchingCompositeObservationHandler
			implements MeterObservationHandler<Observation.Context> {

		MetersOfOthers(MeterObservationHandler<?> handler) {
			super(handler);
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			boolean isOfJobs = context instanceof JobPublishContext || context instanceof JobProcessContext;
			return !isOfJobs && super.supportsContext(context);
		}

	}

}

package io.github.steadyjobs.guide.tracing;

import io.github.steadyjobs.observation.DefaultJobProcessObservationConvention;
import io.github.steadyjobs.observation.JobProcessContext;
import io.github.steadyjobs.observation.JobProcessObservationConvention;
import io.micrometer.context.ContextRegistry;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Code of {@code docs/tracing.md}.
 */
class TracingPage {

	@Configuration(proxyBeanMethods = false)
	static class Conventions {

		@Bean
		JobProcessObservationConvention jobProcessConvention() {
			return new DefaultJobProcessObservationConvention() {

				@Override
				public String getContextualName(JobProcessContext context) {
					return context.job().name();
				}

			};
		}

	}

	static class Tenant {

		static final ThreadLocal<String> CURRENT = new ThreadLocal<>();

		static void register() {
			ContextRegistry.getInstance().registerThreadLocalAccessor("tenant", Tenant.CURRENT);
		}

	}

}

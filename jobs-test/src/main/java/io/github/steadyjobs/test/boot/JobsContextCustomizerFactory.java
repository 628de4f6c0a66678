package io.github.steadyjobs.test.boot;

import java.util.List;
import java.util.Map;

import io.github.steadyjobs.test.boot.AutoConfigureJobs.Mode;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Sets the properties of contexts that {@link AutoConfigureJobs} applies to.
 */
final class JobsContextCustomizerFactory implements ContextCustomizerFactory {

	static final String MODE = "spring.test.jobs.mode";

	static final String IN_MEMORY = "spring.test.jobs.in-memory";

	/** No part of a worker process may start, because every part needs Redis. */
	private static final Map<String, Object> NO_WORKER = Map.of(IN_MEMORY, "true", "steadyjobs.worker.enabled", "false",
			"steadyjobs.doctor.enabled", "false");

	/**
	 * Defaults that a test can override, because it may need Redis for other data. The
	 * health of jobs would be down without Redis.
	 */
	private static final Map<String, Object> DEFAULTS = Map.of("steadyjobs.embedded.enabled", "false",
			"management.health.jobs.enabled", "false");

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> attributes) {
		AutoConfigureJobs annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureJobs.class);
		return (annotation != null) ? new Customizer(annotation.mode()) : null;
	}

	/**
	 * Sets the properties. It is part of the key under which a context is cached, so that
	 * contexts with different modes are kept apart.
	 */
	private record Customizer(Mode mode) implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
			MutablePropertySources sources = context.getEnvironment().getPropertySources();
			sources.addFirst(new MapPropertySource("jobs in a test", Map.of(MODE, this.mode.name())));
			if (this.mode != Mode.REAL) {
				sources.addFirst(new MapPropertySource("jobs in memory", NO_WORKER));
				sources.addLast(new MapPropertySource("defaults of jobs in memory", DEFAULTS));
			}
		}

	}

}

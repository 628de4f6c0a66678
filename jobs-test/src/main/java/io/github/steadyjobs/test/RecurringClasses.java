package io.github.steadyjobs.test;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;

import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.recurring.RecurringJob;
import io.github.steadyjobs.recurring.RecurringSettings;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.env.StandardEnvironment;

/**
 * Reads recurring jobs from classes, without an application, in the same way as an
 * application reads them from its beans.
 */
final class RecurringClasses {

	private RecurringClasses() {
	}

	static Collection<RecurringJob> read(Class<?>... beans) {
		StandardEnvironment environment = new StandardEnvironment();
		DefaultListableBeanFactory factory = new DefaultListableBeanFactory();
		factory.addEmbeddedValueResolver(environment::resolveRequiredPlaceholders);
		for (Class<?> bean : beans) {
			factory.registerBeanDefinition(bean.getName(), new RootBeanDefinition(bean));
		}
		JobRegistry registry = new JobRegistry(factory, Map.of(), IdempotenceDefaults.STANDARD,
				JsonMapper.builder().build());
		return new RecurringSettings("", null, Map.of(), environment::resolveRequiredPlaceholders,
				Duration.ofMinutes(1))
			.declared(registry);
	}

}

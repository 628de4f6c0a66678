package io.github.steadyjobs.definition;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.steadyjobs.IdempotenceStrategy;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanInstantiationException;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.config.BeanDefinition;

/**
 * Finds the strategies for deduplication that the application provides, by their classes.
 */
final class CustomStrategies {

	private final JobBeans beans;

	private final Map<Class<?>, IdempotenceStrategy> instances = new ConcurrentHashMap<>();

	CustomStrategies(JobBeans beans) {
		this.beans = beans;
	}

	/**
	 * Find the strategy of a class: its bean or, if there is no bean, an instance created
	 * here.
	 * @return a supplier of the strategy; {@code null} if no strategy is set, or if there
	 * is a problem
	 */
	@Nullable Supplier<IdempotenceStrategy> find(Class<? extends IdempotenceStrategy> type, JobReading reading) {
		if (type == IdempotenceStrategy.class) {
			return null;
		}
		List<String> names = this.beans.names(IdempotenceStrategy.class)
			.stream()
			.filter((name) -> isOfType(name, type))
			.toList();
		List<String> primary = (names.size() > 1) ? names.stream().filter(this::isPrimary).toList() : names;
		if (primary.size() == 1) {
			return () -> this.beans.get(primary.get(0), IdempotenceStrategy.class);
		}
		if (names.size() > 1) {
			reading.report(
					"has the custom strategy %s, but several beans are of that class: '%s'".formatted(type.getName(),
							String.join("', '", names)),
					"Name the class of one of them, or make one of them @Primary.");
			return null;
		}
		try {
			// All jobs share one instance, which is kept when jobs are collected again.
			IdempotenceStrategy instance = this.instances.computeIfAbsent(type,
					(key) -> BeanUtils.instantiateClass(type));
			return () -> instance;
		}
		catch (BeanInstantiationException ex) {
			reading.report(
					"has the custom strategy %s, which is not a bean and cannot be created: %s"
						.formatted(type.getName(), ex.getMostSpecificCause()),
					"Make it a bean, or give it a constructor without parameters that works.");
			return null;
		}
	}

	private boolean isOfType(String name, Class<?> type) {
		Class<?> found = this.beans.find(name);
		return found != null && type.isAssignableFrom(found);
	}

	private boolean isPrimary(String name) {
		BeanDefinition definition = this.beans.definition(name);
		return definition != null && definition.isPrimary();
	}

}

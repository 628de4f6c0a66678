package io.github.steadyjobs.idempotence;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.steadyjobs.IdempotenceStrategy;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.BeanInstantiationException;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds the strategies of the application by their classes.
 */
final class CustomStrategies {

	private final ConfigurableListableBeanFactory beanFactory;

	private final Function<String, @Nullable Class<?>> types;

	private final Map<Class<?>, IdempotenceStrategy> instances = new ConcurrentHashMap<>();

	/**
	 * Create strategies.
	 * @param types knows the class of a bean, without its proxy
	 */
	CustomStrategies(ConfigurableListableBeanFactory beanFactory, Function<String, @Nullable Class<?>> types) {
		this.beanFactory = beanFactory;
		this.types = types;
	}

	/**
	 * Find the strategy of a class: its bean, or an instance of our own.
	 * @return gives the strategy, or {@code null} if a problem was reported
	 */
	@Nullable Supplier<IdempotenceStrategy> find(Class<? extends IdempotenceStrategy> type, String place,
			BiConsumer<String, String> problems) {
		// By interface, and then by class: a proxy of the bean may not be of its class.
		String[] names = Stream.of(this.beanFactory.getBeanNamesForType(IdempotenceStrategy.class, true, false))
			.filter((name) -> !ScopedProxyUtils.isScopedTarget(name) && isOfType(name, type))
			.toArray(String[]::new);
		String[] primary = (names.length > 1) ? Stream.of(names).filter(this::isPrimary).toArray(String[]::new) : names;
		if (primary.length == 1) {
			return () -> this.beanFactory.getBean(primary[0], IdempotenceStrategy.class);
		}
		if (names.length > 1) {
			problems.accept(
					"%s has the custom strategy %s, and several beans are of that class: '%s'.".formatted(place,
							type.getName(), String.join("', '", names)),
					"Name the class of one of them, or make one of them @Primary.");
			return null;
		}
		return instance(type, place, problems);
	}

	private boolean isOfType(String name, Class<?> type) {
		Class<?> found = this.types.apply(name);
		return found != null && type.isAssignableFrom(found);
	}

	private boolean isPrimary(String name) {
		return this.beanFactory.containsBeanDefinition(name)
				&& this.beanFactory.getMergedBeanDefinition(name).isPrimary();
	}

	private @Nullable Supplier<IdempotenceStrategy> instance(Class<? extends IdempotenceStrategy> type, String place,
			BiConsumer<String, String> problems) {
		try {
			// One for all jobs, and also when jobs are collected again.
			IdempotenceStrategy instance = this.instances.computeIfAbsent(type,
					(key) -> BeanUtils.instantiateClass(type));
			return () -> instance;
		}
		catch (BeanInstantiationException ex) {
			problems.accept(
					"%s has the custom strategy %s, which is not a bean and cannot be created: %s.".formatted(place,
							type.getName(), ex.getMostSpecificCause()),
					"Make it a bean, or give it a constructor without parameters that works.");
			return null;
		}
	}

}

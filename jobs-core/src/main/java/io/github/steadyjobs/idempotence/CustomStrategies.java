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
	 * @param beanFactory has the beans
	 * @param types tells the class of a bean, without its proxy
	 */
	CustomStrategies(ConfigurableListableBeanFactory beanFactory, Function<String, @Nullable Class<?>> types) {
		this.beanFactory = beanFactory;
		this.types = types;
	}

	/**
	 * Find the strategy of a class.
	 * @param type the class
	 * @param place where it is named
	 * @param problems takes what is wrong
	 * @return gives the strategy, or {@code null} if there is a problem
	 */
	@Nullable Supplier<IdempotenceStrategy> find(Class<? extends IdempotenceStrategy> type, String place,
			BiConsumer<String, String> problems) {
		String[] names = names(type);
		if (names.length > 1) {
			problems.accept(
					"%s has the custom strategy %s, of which there are several beans: '%s'.".formatted(place,
							type.getName(), String.join("', '", names)),
					"Name the class of one of them, or make one of them @Primary.");
			return null;
		}
		return (names.length == 1) ? () -> this.beanFactory.getBean(names[0], IdempotenceStrategy.class)
				: instance(type, place, problems);
	}

	// By interface, and then by class: a proxy of the bean may not be of its class.
	private String[] names(Class<?> type) {
		String[] names = Stream.of(this.beanFactory.getBeanNamesForType(IdempotenceStrategy.class, true, false))
			.filter((name) -> !ScopedProxyUtils.isScopedTarget(name))
			.filter((name) -> {
				Class<?> found = this.types.apply(name);
				return found != null && type.isAssignableFrom(found);
			})
			.toArray(String[]::new);
		String[] primary = Stream.of(names).filter(this::isPrimary).toArray(String[]::new);
		return (names.length > 1 && primary.length == 1) ? primary : names;
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
					"%s has the custom strategy %s, which is no bean and cannot be made: %s.".formatted(place,
							type.getName(), ex.getMostSpecificCause()),
					"Make it a bean, or give it a constructor without parameters that works.");
			return null;
		}
	}

}

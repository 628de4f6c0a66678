package io.github.steadyjobs.definition;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.idempotence.IdempotenceDefaults;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/**
 * Finds what a job says about when it runs again: a bean, a time or an expression.
 */
final class Backoffs {

	private static final Logger logger = LoggerFactory.getLogger(Backoffs.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final Function<String, @Nullable Class<?>> types;

	private final Set<String> noticed = ConcurrentHashMap.newKeySet();

	/**
	 * Create back-offs.
	 * @param types knows the class of a bean, without its proxy
	 */
	Backoffs(ConfigurableListableBeanFactory beanFactory, Function<String, @Nullable Class<?>> types) {
		this.beanFactory = beanFactory;
		this.types = types;
	}

	/**
	 * Find a back-off.
	 * @param job the job that has it
	 * @param problems takes what is wrong, as the rest of a sentence, and how to fix it
	 * @return gives the back-off, or {@code null} if a problem was reported
	 */
	@Nullable Supplier<RetryDelay> find(String text, String job, BiConsumer<String, String> problems) {
		if (text.contains("#")) {
			RetryDelay expression = BackoffExpression.read(text, problems);
			return (expression != null) ? () -> expression : null;
		}
		Duration time = IdempotenceDefaults.time(text);
		if (time != null) {
			RetryDelay same = (count, payload, failure) -> time;
			return () -> same;
		}
		Class<?> type = this.types.apply(text);
		if (!this.beanFactory.containsBean(text) || (type != null && !RetryDelay.class.isAssignableFrom(type))) {
			problems.accept(
					type != null ? "which is a bean of type %s".formatted(type.getName())
							: "which is neither a bean nor a time, and has no '#' as an expression has",
					"Name a bean of type RetryDelay, or write a time as in backoff = \"30s\", or an expression as in backoff = \"#count * 10\".");
			return null;
		}
		warnIfDefault(text, job);
		return () -> this.beanFactory.getBean(text, RetryDelay.class);
	}

	/**
	 * One bean of that type is taken for the default of all jobs, which is hardly meant
	 * where a job names it.
	 */
	private void warnIfDefault(String name, String job) {
		List<String> defaults = Stream.of(this.beanFactory.getBeanNamesForType(RetryDelay.class, true, false))
			.filter(this::isDefaultCandidate)
			.toList();
		if (defaults.equals(List.of(name)) && this.noticed.add(name)) {
			logger.warn(
					"{} names the RetryDelay '{}', which is the only one and so decides for all jobs. To have it "
							+ "decide for those alone that name it, declare it with @Bean(defaultCandidate = false)",
					job, name);
		}
	}

	private boolean isDefaultCandidate(String name) {
		BeanDefinition definition = this.beanFactory.containsBeanDefinition(name)
				? this.beanFactory.getMergedBeanDefinition(name) : null;
		return !(definition instanceof AbstractBeanDefinition bean) || bean.isDefaultCandidate();
	}

}

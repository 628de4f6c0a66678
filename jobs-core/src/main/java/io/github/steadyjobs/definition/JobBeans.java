package io.github.steadyjobs.definition;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * The beans of an application. Knows their classes, without proxies and without creating
 * any.
 */
final class JobBeans {

	private static final Logger logger = LoggerFactory.getLogger(JobBeans.class);

	private final ConfigurableListableBeanFactory beanFactory;

	JobBeans(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/** Return the names of the beans that may have jobs, in the order of registration. */
	Set<String> names() {
		Set<String> names = new LinkedHashSet<>(List.of(this.beanFactory.getBeanDefinitionNames()));
		// Among them are beans that were registered without a definition.
		names.addAll(List.of(this.beanFactory.getSingletonNames()));
		names.removeIf((name) -> {
			BeanDefinition definition = definition(name);
			// The scoped proxy is the bean to call, and stands for its target.
			return ScopedProxyUtils.isScopedTarget(name) || (definition != null && definition.isAbstract());
		});
		return names;
	}

	/** Return the names of the beans of a type, which their proxies must have as well. */
	List<String> names(Class<?> type) {
		return Stream.of(this.beanFactory.getBeanNamesForType(type, true, false))
			.filter((name) -> !ScopedProxyUtils.isScopedTarget(name))
			.toList();
	}

	boolean contains(String name) {
		return this.beanFactory.containsBean(name);
	}

	<T> T get(String name, Class<T> type) {
		return this.beanFactory.getBean(name, type);
	}

	@Nullable BeanDefinition definition(String name) {
		return this.beanFactory.containsBeanDefinition(name) ? this.beanFactory.getMergedBeanDefinition(name) : null;
	}

	/** Return a bean that exists already and is not a factory of another one. */
	@Nullable Object singleton(String name) {
		// Asked for first: getSingleton alone would expose a bean that is being created.
		Object singleton = this.beanFactory.containsSingleton(name) ? this.beanFactory.getSingleton(name) : null;
		return (singleton instanceof FactoryBean) ? null : singleton;
	}

	/** Resolve placeholders, or throw {@link IllegalArgumentException}. */
	@Nullable String resolve(String text) {
		return this.beanFactory.resolveEmbeddedValue(text);
	}

	/**
	 * Return the class of a bean.
	 * @return the class, or {@code null} if it is not known or one of Spring's own
	 */
	@Nullable Class<?> find(String name) {
		String target = ScopedProxyUtils.getTargetBeanName(name);
		try {
			Class<?> type = determine(this.beanFactory.containsBeanDefinition(target) ? target : name);
			if (type == null || type.getName().startsWith("org.springframework.")) {
				return null;
			}
			return ClassUtils.getUserClass(type);
		}
		catch (BeansException | LinkageError ex) {
			logger.debug("Not looking for jobs in bean '{}', whose class is not known", name, ex);
			return null;
		}
	}

	private @Nullable Class<?> determine(String name) {
		Object singleton = singleton(name);
		if (singleton != null) {
			return AopProxyUtils.ultimateTargetClass(singleton);
		}
		// Left by Spring if it has made a proxy of a bean that is not a singleton.
		// AutoProxyUtils.determineTargetClass reads it too, but creates factory beans to
		// find out what they make.
		BeanDefinition definition = definition(name);
		Class<?> original = (definition != null)
				? (Class<?>) definition.getAttribute(AutoProxyUtils.ORIGINAL_TARGET_CLASS_ATTRIBUTE) : null;
		return (original != null) ? original : this.beanFactory.getType(name, false);
	}

}

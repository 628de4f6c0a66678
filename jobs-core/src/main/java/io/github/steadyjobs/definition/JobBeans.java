package io.github.steadyjobs.definition;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.type.MethodMetadata;
import org.springframework.util.ClassUtils;

/**
 * The beans of an application. Finds the classes behind their proxies without creating
 * any bean.
 */
final class JobBeans {

	private static final Logger logger = LoggerFactory.getLogger(JobBeans.class);

	private static final Pattern LIBRARY = Pattern
		.compile("org\\.springframework\\..*|io\\.github\\.steadyjobs\\.[^$]*AutoConfiguration(\\$.*)?");

	private final ConfigurableListableBeanFactory beanFactory;

	JobBeans(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/** Return the names of the beans that may have jobs, in the order of registration. */
	Set<String> names() {
		Set<String> names = new LinkedHashSet<>(List.of(this.beanFactory.getBeanDefinitionNames()));
		// The singletons include beans that were registered without a definition.
		names.addAll(List.of(this.beanFactory.getSingletonNames()));
		names.removeIf((name) -> {
			BeanDefinition definition = definition(name);
			// The scoped proxy, not its target, is the bean to call.
			return ScopedProxyUtils.isScopedTarget(name) || (definition != null && definition.isAbstract())
					|| isDeclaredByLibrary(definition);
		});
		return names;
	}

	/** Return the names of beans of a type. Their proxies must have that type as well. */
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

	/** Return a bean if it already exists and is not a factory bean. */
	@Nullable Object singleton(String name) {
		// Checked first, because getSingleton alone would expose a bean that is still
		// being created.
		Object singleton = this.beanFactory.containsSingleton(name) ? this.beanFactory.getSingleton(name) : null;
		return (singleton instanceof FactoryBean) ? null : singleton;
	}

	/** Resolve placeholders, or throw an {@link IllegalArgumentException}. */
	@Nullable String resolve(String text) {
		return this.beanFactory.resolveEmbeddedValue(text);
	}

	/**
	 * Return the class of a bean.
	 * @return the class, or {@code null} if it is not known or belongs to Spring
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

	/**
	 * Return whether a configuration of Spring or of this library declares a bean. Such a
	 * bean has no jobs. Examining its class would load the types of all its methods,
	 * which takes time at the start of an application.
	 */
	private static boolean isDeclaredByLibrary(@Nullable BeanDefinition definition) {
		MethodMetadata factory = (definition instanceof AnnotatedBeanDefinition annotated)
				? annotated.getFactoryMethodMetadata() : null;
		return factory != null && LIBRARY.matcher(factory.getDeclaringClassName()).matches();
	}

	private @Nullable Class<?> determine(String name) {
		Object singleton = singleton(name);
		if (singleton != null) {
			return AopProxyUtils.ultimateTargetClass(singleton);
		}
		// Spring sets this attribute when it creates a proxy for a bean that is not a
		// singleton. AutoProxyUtils.determineTargetClass also reads the attribute, but
		// creates factory beans to find out the types of their products.
		BeanDefinition definition = definition(name);
		Class<?> original = (definition != null)
				? (Class<?>) definition.getAttribute(AutoProxyUtils.ORIGINAL_TARGET_CLASS_ATTRIBUTE) : null;
		return (original != null) ? original : this.beanFactory.getType(name, false);
	}

}

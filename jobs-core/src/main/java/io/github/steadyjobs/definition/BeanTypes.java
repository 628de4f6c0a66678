package io.github.steadyjobs.definition;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

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
 * Knows the classes of beans, without their proxies and without creating any.
 */
final class BeanTypes {

	private static final Logger logger = LoggerFactory.getLogger(BeanTypes.class);

	private final ConfigurableListableBeanFactory beanFactory;

	BeanTypes(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/** Return the names of the beans that may have jobs, in the order of registration. */
	Set<String> names() {
		Set<String> names = new LinkedHashSet<>(List.of(this.beanFactory.getBeanDefinitionNames()));
		// Among them are beans that were registered without a definition.
		names.addAll(List.of(this.beanFactory.getSingletonNames()));
		// The scoped proxy is the bean to call, and stands for its target.
		names.removeIf((name) -> ScopedProxyUtils.isScopedTarget(name) || isAbstract(name));
		return names;
	}

	private boolean isAbstract(String name) {
		return this.beanFactory.containsBeanDefinition(name)
				&& this.beanFactory.getMergedBeanDefinition(name).isAbstract();
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
		// Asked for first: getSingleton alone would expose a bean that is being created.
		Object singleton = this.beanFactory.containsSingleton(name) ? this.beanFactory.getSingleton(name) : null;
		if (singleton != null && !(singleton instanceof FactoryBean)) {
			return AopProxyUtils.ultimateTargetClass(singleton);
		}
		Class<?> original = originalClass(name);
		return (original != null) ? original : this.beanFactory.getType(name, false);
	}

	// Left by Spring if it has made a proxy of a bean that is not a singleton.
	// AutoProxyUtils.determineTargetClass reads it too, but creates factory beans to find
	// out what they make.
	private @Nullable Class<?> originalClass(String name) {
		if (!this.beanFactory.containsBeanDefinition(name)) {
			return null;
		}
		BeanDefinition definition = this.beanFactory.getMergedBeanDefinition(name);
		return (Class<?>) definition.getAttribute(AutoProxyUtils.ORIGINAL_TARGET_CLASS_ATTRIBUTE);
	}

}

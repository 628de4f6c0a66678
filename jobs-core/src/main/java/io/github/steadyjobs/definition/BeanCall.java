package io.github.steadyjobs.definition;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Arrays;
import java.util.stream.Stream;

import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.definition.JobDefinitionException.Problem;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Calls the method of a bean, through the bean's proxy. Asks for the bean at each call,
 * so one of scope prototype is a new instance each time.
 */
final class BeanCall {

	private final ConfigurableListableBeanFactory beanFactory;

	private final String beanName;

	private final BeanMethod<?> method;

	private volatile @Nullable Target last;

	BeanCall(ConfigurableListableBeanFactory beanFactory, String beanName, BeanMethod<?> method) {
		this.beanFactory = beanFactory;
		this.beanName = beanName;
		this.method = method;
	}

	String beanName() {
		return this.beanName;
	}

	BeanMethod<?> method() {
		return this.method;
	}

	void invoke(@Nullable Object[] arguments) throws Exception {
		Object bean = this.beanFactory.getBean(this.beanName);
		try {
			methodOn(bean).invoke(bean, arguments);
		}
		catch (InvocationTargetException ex) {
			throw unwrap(ex);
		}
	}

	/** Report what is wrong with the bean's proxy, if the bean exists already. */
	void reportTo(Problems problems) {
		Object bean = this.beanFactory.containsSingleton(this.beanName) ? this.beanFactory.getSingleton(this.beanName)
				: null;
		Problem problem = (bean != null && !(bean instanceof FactoryBean)) ? findProblem(bean) : null;
		if (problem != null) {
			problems.add(problem.description(), problem.action());
		}
	}

	private Method methodOn(Object bean) {
		Target target = this.last;
		if (target == null || target.type() != bean.getClass()) {
			Problem problem = findProblem(bean);
			if (problem != null) {
				throw new IllegalStateException(problem.toString());
			}
			Method method = Proxy.isProxyClass(bean.getClass()) ? candidates(bean).findFirst().orElseThrow()
					: this.method.method();
			ReflectionUtils.makeAccessible(method);
			target = new Target(bean.getClass(), method);
			this.last = target;
		}
		return target.method();
	}

	private @Nullable Problem findProblem(Object bean) {
		BeanMethod<?> method = this.method;
		if (Proxy.isProxyClass(bean.getClass())) {
			return candidates(bean).findAny().isPresent() ? null
					: new Problem(
							"%s is a %s, and bean '%s' is a JDK proxy that does not have the method.".formatted(method,
									method.mark(), this.beanName),
							"Put the method on an interface of the bean, or set spring.aop.proxy-target-class=true.");
		}
		if (!method.method().getDeclaringClass().isInstance(bean)) {
			return new Problem("%s is a %s, and bean '%s' is a %s.".formatted(method, method.mark(), this.beanName,
					bean.getClass().getName()), "Declare the bean with the class that it has.");
		}
		if (AopUtils.isCglibProxy(bean) && Modifier.isFinal(method.method().getModifiers())) {
			// It would run on the proxy object, whose fields are all empty.
			return new Problem("%s is a %s and final, and bean '%s' has a proxy, which cannot pass the call on."
				.formatted(method, method.mark(), this.beanName), "Remove 'final'.");
		}
		return null;
	}

	// AopUtils.selectInvocableMethod looks for the same parameter types, but an interface
	// may declare a type variable where the bean has a class.
	private Stream<Method> candidates(Object bean) {
		return Arrays.stream(bean.getClass().getInterfaces())
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.filter((candidate) -> AopUtils.getMostSpecificMethod(candidate, this.method.type())
				.equals(this.method.method()));
	}

	private static Exception unwrap(InvocationTargetException ex) {
		Throwable thrown = ex.getTargetException();
		if (thrown instanceof Error error) {
			throw error;
		}
		return (thrown instanceof Exception exception) ? exception : new UndeclaredThrowableException(thrown);
	}

	private record Target(Class<?> type, Method method) {

	}

}

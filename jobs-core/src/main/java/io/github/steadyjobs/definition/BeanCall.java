package io.github.steadyjobs.definition;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;

import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.definition.JobDefinitionException.Problem;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Calls the method of a bean, through the bean's proxy. The bean is asked for at each
 * call, so one of scope prototype is a new instance each time.
 */
final class BeanCall {

	private final ConfigurableListableBeanFactory beanFactory;

	private final String beanName;

	private final BeanMethod method;

	private volatile @Nullable Target last;

	BeanCall(ConfigurableListableBeanFactory beanFactory, String beanName, BeanMethod method) {
		this.beanFactory = beanFactory;
		this.beanName = beanName;
		this.method = method;
	}

	String beanName() {
		return this.beanName;
	}

	BeanMethod method() {
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

	/**
	 * Look at the bean's proxy, if the bean is there already.
	 * @param problems takes what is wrong with it
	 */
	void reportTo(Problems problems) {
		Object bean = this.beanFactory.containsSingleton(this.beanName) ? this.beanFactory.getSingleton(this.beanName)
				: null;
		Problem problem = (bean != null && !(bean instanceof FactoryBean)) ? ProxyMethods.findProblem(bean, this)
				: null;
		if (problem != null) {
			problems.add(problem.description(), problem.action());
		}
	}

	private Method methodOn(Object bean) {
		Target target = this.last;
		if (target == null || target.type() != bean.getClass()) {
			Problem problem = ProxyMethods.findProblem(bean, this);
			if (problem != null) {
				throw new IllegalStateException(problem.toString());
			}
			Method method = ProxyMethods.select(bean, this.method);
			ReflectionUtils.makeAccessible(method);
			target = new Target(bean.getClass(), method);
			this.last = target;
		}
		return target.method();
	}

	private static Exception unwrap(InvocationTargetException ex) {
		Throwable thrown = ex.getTargetException();
		if (thrown instanceof Error error) {
			throw error;
		}
		return (thrown instanceof Exception exception) ? exception : new UndeclaredThrowableException(thrown);
	}

	/**
	 * The method to call on instances of a class, which may be a proxy's.
	 */
	private record Target(Class<?> type, Method method) {

	}

}

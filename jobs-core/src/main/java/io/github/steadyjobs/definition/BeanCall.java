package io.github.steadyjobs.definition;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.arguments.JobParameters;
import io.github.steadyjobs.definition.JobDefinitionException.Problem;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Calls the method of a bean through the bean's proxy. Gets the bean for each call, so a
 * prototype-scoped bean is a new instance each time.
 */
final class BeanCall {

	private final JobBeans beans;

	private final String beanName;

	private final BeanMethod<?> method;

	private volatile @Nullable Target last;

	BeanCall(JobBeans beans, String beanName, BeanMethod<?> method) {
		this.beans = beans;
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
		Object bean = this.beans.get(this.beanName, Object.class);
		try {
			methodOn(bean).invoke(bean, arguments);
		}
		catch (InvocationTargetException ex) {
			ReflectionUtils.rethrowException(ex.getTargetException());
		}
	}

	/** Report any problem with the bean's proxy, if the bean already exists. */
	void reportTo(Problems problems) {
		Object bean = this.beans.singleton(this.beanName);
		try {
			if (bean != null) {
				methodOn(bean);
			}
		}
		catch (JobDefinitionException ex) {
			ex.problems().forEach((problem) -> problems.add(problem.description(), problem.action()));
		}
	}

	private Method methodOn(Object bean) {
		Target target = this.last;
		if (target == null || target.type() != bean.getClass()) {
			target = new Target(bean.getClass(), select(bean));
			ReflectionUtils.makeAccessible(target.method());
			this.last = target;
		}
		return target.method();
	}

	private Method select(Object bean) {
		Method wanted = this.method.method();
		if (Proxy.isProxyClass(bean.getClass())) {
			// AopUtils.selectInvocableMethod looks for the same parameter types, but an
			// interface may declare a type variable in place of the bean's class.
			return Arrays.stream(bean.getClass().getInterfaces())
				.flatMap((type) -> Arrays.stream(type.getMethods()))
				.filter((found) -> AopUtils.getMostSpecificMethod(found, this.method.type()).equals(wanted))
				.findFirst()
				.orElseThrow(() -> problem("", "is a JDK proxy that does not have the method",
						"Put the method on an interface of the bean, or set spring.aop.proxy-target-class=true."));
		}
		if (!wanted.getDeclaringClass().isInstance(bean)) {
			throw problem("", "is a " + bean.getClass().getName(), "Declare the bean with the class that it has.");
		}
		if (AopUtils.isCglibProxy(bean) && Modifier.isFinal(wanted.getModifiers())) {
			// The method would run on the proxy object, whose fields are all unset.
			throw problem(" and final", "has a proxy, which cannot pass the call on", "Remove 'final'.");
		}
		return wanted;
	}

	private JobDefinitionException problem(String also, String what, String action) {
		String called = "%s is a %s%s".formatted(this.method, this.method.mark(), also);
		return new JobDefinitionException(
				List.of(new Problem("%s, but bean '%s' %s.".formatted(called, this.beanName, what), action)));
	}

	private record Target(Class<?> type, Method method) {

	}

	/**
	 * The call to make when the retries of a job are exhausted.
	 *
	 * @param arguments the number of job arguments that the method takes
	 * @param takesAll whether the method takes a list of jobs instead of the arguments
	 */
	record Exhausted(BeanCall call, int arguments, boolean takesAll) {

		void invoke(JobParameters parameters, List<JobPayload> jobs, Throwable failure) throws Exception {
			JobPayload job = jobs.get(0);
			Class<?>[] types = this.call.method().method().getParameterTypes();
			@Nullable Object[] values = new Object[types.length];
			if (this.takesAll) {
				values[0] = jobs;
			}
			else if (this.arguments > 0) {
				@Nullable Object[] bound = parameters.bind(job, JobContext.none());
				System.arraycopy(bound, 0, values, 0, this.arguments);
			}
			for (int index = this.arguments; index < types.length; index++) {
				values[index] = (types[index] == JobPayload.class) ? job : failure;
			}
			this.call.invoke(values);
		}

	}

}

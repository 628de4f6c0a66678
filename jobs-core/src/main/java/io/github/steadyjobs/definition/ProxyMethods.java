package io.github.steadyjobs.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.stream.Stream;

import io.github.steadyjobs.definition.JobDefinitionException.Problem;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;

/**
 * Finds the method through which a proxy passes a call on.
 */
final class ProxyMethods {

	private ProxyMethods() {
	}

	static Method select(Object bean, JobMethod job) {
		return Proxy.isProxyClass(bean.getClass()) ? candidates(bean, job).findFirst().orElseThrow() : job.method();
	}

	static @Nullable Problem findProblem(Object bean, BeanCall call) {
		JobMethod job = call.job();
		if (Proxy.isProxyClass(bean.getClass())) {
			return candidates(bean, job).findAny().isPresent() ? null
					: new Problem(
							"%s is a @Job, and bean '%s' is a JDK proxy that does not have the method.".formatted(job,
									call.beanName()),
							"Put the method on an interface of the bean, or set spring.aop.proxy-target-class=true.");
		}
		if (!job.method().getDeclaringClass().isInstance(bean)) {
			return new Problem(
					"%s is a @Job, and bean '%s' is a %s.".formatted(job, call.beanName(), bean.getClass().getName()),
					"Declare the bean with the class that it has.");
		}
		if (AopUtils.isCglibProxy(bean) && Modifier.isFinal(job.method().getModifiers())) {
			// It would run on the proxy object, whose fields are all empty.
			return new Problem("%s is a @Job and final, and bean '%s' has a proxy, which cannot pass the call on."
				.formatted(job, call.beanName()), "Remove 'final'.");
		}
		return null;
	}

	// The interface may declare a type variable where the bean has a class.
	private static Stream<Method> candidates(Object bean, JobMethod job) {
		return Arrays.stream(bean.getClass().getInterfaces())
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.filter((method) -> AopUtils.getMostSpecificMethod(method, job.type()).equals(job.method()));
	}

}

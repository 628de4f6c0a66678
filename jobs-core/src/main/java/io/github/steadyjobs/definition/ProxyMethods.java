package io.github.steadyjobs.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.stream.Stream;

import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.definition.JobDefinitionException.Problem;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;

/**
 * Finds the method through which a proxy passes a call on.
 */
final class ProxyMethods {

	private ProxyMethods() {
	}

	static Method select(Object bean, BeanMethod method) {
		return Proxy.isProxyClass(bean.getClass()) ? candidates(bean, method).findFirst().orElseThrow()
				: method.method();
	}

	static @Nullable Problem findProblem(Object bean, BeanCall call) {
		BeanMethod method = call.method();
		if (Proxy.isProxyClass(bean.getClass())) {
			return candidates(bean, method).findAny().isPresent() ? null
					: new Problem(
							"%s is a %s, and bean '%s' is a JDK proxy that does not have the method.".formatted(method,
									method.mark(), call.beanName()),
							"Put the method on an interface of the bean, or set spring.aop.proxy-target-class=true.");
		}
		if (!method.method().getDeclaringClass().isInstance(bean)) {
			return new Problem("%s is a %s, and bean '%s' is a %s.".formatted(method, method.mark(), call.beanName(),
					bean.getClass().getName()), "Declare the bean with the class that it has.");
		}
		if (AopUtils.isCglibProxy(bean) && Modifier.isFinal(method.method().getModifiers())) {
			// It would run on the proxy object, whose fields are all empty.
			return new Problem("%s is a %s and final, and bean '%s' has a proxy, which cannot pass the call on."
				.formatted(method, method.mark(), call.beanName()), "Remove 'final'.");
		}
		return null;
	}

	// The interface may declare a type variable where the bean has a class.
	private static Stream<Method> candidates(Object bean, BeanMethod method) {
		return Arrays.stream(bean.getClass().getInterfaces())
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.filter((candidate) -> AopUtils.getMostSpecificMethod(candidate, method.type()).equals(method.method()));
	}

}

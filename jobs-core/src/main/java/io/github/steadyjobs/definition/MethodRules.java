package io.github.steadyjobs.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.arguments.BeanMethod;

import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Refuses methods that could not be called, or that would return before their work is
 * done.
 */
final class MethodRules {

	private static final String ASYNC = "org.springframework.scheduling.annotation.Async";

	private static final String PUBLISHER = "org.reactivestreams.Publisher";

	private MethodRules() {
	}

	static void check(BeanMethod<?> called, Problems problems) {
		Method method = called.method();
		if (Modifier.isStatic(method.getModifiers())) {
			problems.add("%s is a %s and static, so it would run without its bean.".formatted(called, called.mark()),
					"Remove 'static'.");
		}
		if (Modifier.isPrivate(method.getModifiers())) {
			problems.add("%s is a %s and private, so proxies and recorded calls pass it by.".formatted(called,
					called.mark()), "Make it package-private or public.");
		}
		if (isAsync(called)) {
			problems.add("%s is a %s and @Async: it would count as done before its work is.".formatted(called,
					called.mark()), "Remove @Async. A job already runs in the background.");
		}
		checkReturnType(called, problems);
		if (called.annotation() instanceof Job) {
			checkContext(called, problems);
		}
	}

	private static boolean isAsync(BeanMethod<?> called) {
		return MergedAnnotations.from(called.method(), SearchStrategy.TYPE_HIERARCHY).isPresent(ASYNC)
				|| MergedAnnotations.from(called.type(), SearchStrategy.TYPE_HIERARCHY).isPresent(ASYNC);
	}

	private static void checkReturnType(BeanMethod<?> called, Problems problems) {
		Class<?>[] parameters = called.method().getParameterTypes();
		if (parameters.length > 0 && parameters[parameters.length - 1].getName().equals(BeanMethod.CONTINUATION)) {
			problems.add("%s is a %s and a suspending function: it would count as done before its work is.".formatted(
					called, called.mark()), "Remove 'suspend', and call what suspends inside of runBlocking { … }.");
			return;
		}
		Class<?> type = GenericTypeResolver.resolveReturnType(called.method(), called.type());
		if (isAsync(type)) {
			problems.add(
					"%s is a %s and returns a %s: it would count as done before its work is.".formatted(called,
							called.mark(), type.getName()),
					"Wait for the result inside of the method, with join() or block().");
		}
	}

	private static void checkContext(BeanMethod<?> called, Problems problems) {
		Class<?>[] parameters = called.method().getParameterTypes();
		int index = Arrays.asList(parameters).indexOf(JobContext.class);
		if (index >= 0 && index != parameters.length - 1) {
			problems.add("%s is a %s and takes a JobContext that is not its last parameter.".formatted(called,
					called.mark()), "Move the JobContext behind the arguments.");
		}
	}

	private static boolean isAsync(Class<?> type) {
		if (CompletionStage.class.isAssignableFrom(type) || Future.class.isAssignableFrom(type)
				|| Flow.Publisher.class.isAssignableFrom(type)) {
			return true;
		}
		// By name: that library may not be there. The registry adds RxJava, Mutiny and
		// coroutines where they are.
		return ClassUtils.getAllInterfacesForClassAsSet(type).stream().anyMatch((i) -> i.getName().equals(PUBLISHER))
				|| (type != Object.class && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null);
	}

}

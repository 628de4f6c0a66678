package io.github.steadyjobs.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.arguments.BeanMethod;

import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Refuses methods that cannot be called, or that would return before their work is done.
 */
final class MethodRules {

	private static final String ASYNC = "org.springframework.scheduling.annotation.Async";

	private static final String PUBLISHER = "org.reactivestreams.Publisher";

	private MethodRules() {
	}

	static void check(BeanMethod<?> called, Problems problems) {
		Method method = called.method();
		List<Class<?>> parameters = List.of(method.getParameterTypes());
		Class<?> returned = GenericTypeResolver.resolveReturnType(method, called.type());
		int context = parameters.indexOf(JobContext.class);
		if (Modifier.isStatic(method.getModifiers())) {
			report(problems, called, "and static, so it would run without its bean", "Remove 'static'.");
		}
		if (Modifier.isPrivate(method.getModifiers())) {
			report(problems, called, "and private, so proxies and recorded calls miss it",
					"Make it package-private or public.");
		}
		if (isAsync(called)) {
			report(problems, called, "and @Async: it would count as done before its work is",
					"Remove @Async. A job already runs in the background.");
		}
		if (!parameters.isEmpty() && parameters.get(parameters.size() - 1).getName().equals(BeanMethod.CONTINUATION)) {
			report(problems, called, "and a suspending function: it would count as done before its work is",
					"Remove 'suspend', and call what suspends inside runBlocking { … }.");
		}
		else if (isAsync(returned)) {
			report(problems, called,
					"and returns a %s: it would count as done before its work is".formatted(returned.getName()),
					"Wait for the result inside the method, with join() or block().");
		}
		if (called.annotation() instanceof Job && context >= 0 && context < parameters.size() - 1) {
			report(problems, called, "and takes a JobContext that is not its last parameter",
					"Move the JobContext after the arguments.");
		}
	}

	private static void report(Problems problems, BeanMethod<?> called, String what, String action) {
		problems.add("%s is a %s %s.".formatted(called, called.mark(), what), action);
	}

	private static boolean isAsync(BeanMethod<?> called) {
		return Stream.of(called.method(), called.type())
			.anyMatch((element) -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(ASYNC));
	}

	private static boolean isAsync(Class<?> type) {
		if (CompletionStage.class.isAssignableFrom(type) || Future.class.isAssignableFrom(type)
				|| Flow.Publisher.class.isAssignableFrom(type)) {
			return true;
		}
		// Compared by name: Reactive Streams may be absent. ReactiveAdapterRegistry
		// covers RxJava, Mutiny and coroutines if they are present.
		return ClassUtils.getAllInterfacesForClassAsSet(type).stream().anyMatch((i) -> i.getName().equals(PUBLISHER))
				|| (type != Object.class && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null);
	}

}

package io.github.steadyjobs.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;

import io.github.steadyjobs.JobContext;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Refuses methods that could not be called, or whose return would not mean that the work
 * is done.
 */
final class MethodRules {

	private static final String ASYNC = "org.springframework.scheduling.annotation.Async";

	private static final String CONTINUATION = "kotlin.coroutines.Continuation";

	private MethodRules() {
	}

	static void check(JobMethod job, Problems problems) {
		Method method = job.method();
		if (Modifier.isStatic(method.getModifiers())) {
			problems.add("%s is a @Job and static, so it would run without its bean.".formatted(job),
					"Remove 'static'.");
		}
		if (Modifier.isPrivate(method.getModifiers())) {
			problems.add("%s is a @Job and private, so proxies and recorded calls pass it by.".formatted(job),
					"Make it package-private or public.");
		}
		if (isAsync(job)) {
			problems.add("%s is a @Job and @Async: it would count as done before its work is.".formatted(job),
					"Remove @Async. A job already runs in the background.");
		}
		checkReturnType(job, problems);
		checkContext(job, problems);
	}

	/**
	 * Return whether a type is refused here as that of an argument, and nothing more
	 * needs to be said about it.
	 * @param parameter the type
	 * @return whether it is
	 */
	static boolean isRefused(Class<?> parameter) {
		return parameter == JobContext.class || parameter.getName().equals(CONTINUATION);
	}

	private static boolean isAsync(JobMethod job) {
		return MergedAnnotations.from(job.method(), SearchStrategy.TYPE_HIERARCHY).isPresent(ASYNC)
				|| MergedAnnotations.from(job.type(), SearchStrategy.TYPE_HIERARCHY).isPresent(ASYNC);
	}

	private static void checkReturnType(JobMethod job, Problems problems) {
		Class<?>[] parameters = job.method().getParameterTypes();
		if (parameters.length > 0 && parameters[parameters.length - 1].getName().equals(CONTINUATION)) {
			problems.add(
					"%s is a @Job and a suspending function: it would count as done before its work is.".formatted(job),
					"Remove 'suspend', and call what suspends inside of runBlocking { … }.");
			return;
		}
		Class<?> early = AsyncTypes.find(job);
		if (early != null) {
			problems.add("%s is a @Job and returns a %s: it would count as done before its work is.".formatted(job,
					early.getName()), "Wait for the result inside of the method, with join() or block().");
		}
	}

	private static void checkContext(JobMethod job, Problems problems) {
		Class<?>[] parameters = job.method().getParameterTypes();
		int index = Arrays.asList(parameters).indexOf(JobContext.class);
		if (index >= 0 && index != parameters.length - 1) {
			problems.add("%s is a @Job and takes a JobContext that is not its last parameter.".formatted(job),
					"Move the JobContext behind the arguments.");
		}
	}

}

package io.github.steadyjobs.definition;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.arguments.BeanMethod;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Finds the methods of a class that are jobs, and names those that have no name.
 */
final class JobMethods {

	private static final String PERFORM = "perform";

	private static final List<Class<? extends Annotation>> BESIDE_ON_CLASS = List.of(Sequential.class, Recurring.class,
			Recurring.Schedules.class);

	private static final List<Class<? extends Annotation>> BESIDE = List.of(Sequential.class, Recurring.class,
			Recurring.Schedules.class, Idempotent.class, NotIdempotent.class);

	private JobMethods() {
	}

	static List<BeanMethod<Job>> find(Class<?> type, Problems problems) {
		List<BeanMethod<Job>> annotated = BeanMethod.find(type, Job.class);
		Job onClass = AnnotatedElementUtils.findMergedAnnotation(type, Job.class);
		if (onClass == null) {
			return annotated;
		}
		List<BeanMethod<Job>> found = new ArrayList<>(annotated);
		Collection<Method> performs = BeanMethod.select(type, (method) -> isPerform(method) ? method : null).values();
		if (performs.size() != 1) {
			problems.add(
					"%s has @Job on the class and %s public methods named 'perform'.".formatted(type.getName(),
							performs.isEmpty() ? "no" : performs.size()),
					"Give it exactly one, or put @Job on the methods that are jobs.");
		}
		else if (annotated.stream().anyMatch((method) -> performs.contains(method.method()))) {
			problems.add("%s has @Job on the class and on its method 'perform'.".formatted(type.getName()),
					"Remove one of the two.");
		}
		else {
			found.add(new BeanMethod<>(type, performs.iterator().next(), onClass));
		}
		return found;
	}

	/** Refuse annotations on methods or classes without a job. */
	static void checkStray(Class<?> type, List<BeanMethod<Job>> jobs, Problems problems) {
		// The class of the instance may add the @Job, and is looked at when it is known.
		if (Modifier.isAbstract(type.getModifiers()) || !AnnotationUtils.isCandidateClass(type, BESIDE)) {
			return;
		}
		Set<Method> found = jobs.stream().map(BeanMethod::method).collect(Collectors.toSet());
		Map<Method, Set<String>> marked = BeanMethod.select(type, (method) -> {
			Set<String> marks = found.contains(method) ? Set.of() : marks(method, BESIDE);
			return marks.isEmpty() ? null : marks;
		});
		// Reflection has no order, and messages should have one.
		marked.entrySet()
			.stream()
			.sorted(Comparator.comparing((method) -> method.getKey().getName() + method.getKey()))
			.forEach(
					(method) -> method.getValue()
						.forEach((mark) -> problems.add(
								"%s is %s and no @Job."
									.formatted(ClassUtils.getQualifiedMethodName(method.getKey(), type), mark),
								"Put @Job on it as well, or remove %s.".formatted(mark))));
		if (!AnnotatedElementUtils.hasAnnotation(type, Job.class)) {
			marks(type, BESIDE_ON_CLASS).forEach(
					(mark) -> problems.add("%s is %s and has no @Job on the class.".formatted(type.getName(), mark),
							"Put %s beside the @Job that it is for.".formatted(mark)));
		}
	}

	private static Set<String> marks(AnnotatedElement element, List<Class<? extends Annotation>> annotations) {
		return annotations.stream()
			.filter((annotation) -> AnnotatedElementUtils.hasAnnotation(element, annotation))
			.map((annotation) -> (annotation == Recurring.Schedules.class) ? Recurring.class : annotation)
			.map((annotation) -> "@" + annotation.getSimpleName())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static boolean isPerform(Method method) {
		return method.getName().equals(PERFORM) && Modifier.isPublic(method.getModifiers());
	}

	/**
	 * Return the name of a job whose annotation has none; empty for an anonymous class.
	 */
	static String defaultName(BeanMethod<Job> job) {
		String name = job.type().isHidden() ? "" : job.type().getSimpleName();
		boolean onMethod = AnnotatedElementUtils.hasAnnotation(job.method(), Job.class);
		return (onMethod && !name.isEmpty()) ? name + "." + job.method().getName() : name;
	}

}

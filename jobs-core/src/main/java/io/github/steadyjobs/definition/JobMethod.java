package io.github.steadyjobs.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.arguments.BeanMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * A method that is a job.
 *
 * @param type the class it was found on, which may be below the declaring one
 * @param method the method
 * @param annotation the annotation, merged
 * @param onClass whether the annotation is on the class
 */
record JobMethod(Class<?> type, Method method, Job annotation, boolean onClass) implements BeanMethod {

	private static final String PERFORM = "perform";

	/**
	 * Find the methods of a class that are jobs, those of superclasses and interfaces
	 * included.
	 * @param type the class, no proxy
	 * @param problems takes what is wrong with an annotation on the class
	 * @return the methods, ordered by name
	 */
	static List<JobMethod> find(Class<?> type, Problems problems) {
		if (!AnnotationUtils.isCandidateClass(type, Job.class)) {
			return List.of();
		}
		List<JobMethod> found = new ArrayList<>();
		Map<Method, Job> annotated = BeanMethod.select(type, JobMethod::annotationOf);
		annotated.forEach((method, job) -> found.add(new JobMethod(type, method, job, false)));
		Job onClass = AnnotatedElementUtils.findMergedAnnotation(type, Job.class);
		if (onClass != null) {
			addPerform(type, onClass, found, problems);
		}
		// Reflection has no order, and messages should have one.
		found.sort(Comparator.comparing(JobMethod::sortKey));
		return found;
	}

	private static String sortKey(JobMethod method) {
		return method.method().getName() + method.method();
	}

	private static @Nullable Job annotationOf(Method method) {
		return AnnotatedElementUtils.findMergedAnnotation(method, Job.class);
	}

	private static void addPerform(Class<?> type, Job job, List<JobMethod> found, Problems problems) {
		Collection<Method> candidates = BeanMethod.select(type, (method) -> isPerform(method) ? method : null).values();
		if (candidates.size() != 1) {
			problems.add(
					"%s has @Job on the class and %s public methods named 'perform'.".formatted(type.getName(),
							candidates.isEmpty() ? "no" : candidates.size()),
					"Give it exactly one, or put @Job on the methods that are jobs.");
			return;
		}
		Method perform = candidates.iterator().next();
		if (found.stream().anyMatch((method) -> method.method().equals(perform))) {
			problems.add("%s has @Job on the class and on its method 'perform'.".formatted(type.getName()),
					"Remove one of the two.");
			return;
		}
		found.add(new JobMethod(type, perform, job, true));
	}

	private static boolean isPerform(Method method) {
		return method.getName().equals(PERFORM) && Modifier.isPublic(method.getModifiers());
	}

	@Override
	public String mark() {
		return "@Job";
	}

	/**
	 * Return the name of a job whose annotation has none.
	 * @return the name; empty for a class without one, such as an anonymous class
	 */
	String defaultName() {
		String name = this.type.isHidden() ? "" : this.type.getSimpleName();
		return (this.onClass || name.isEmpty()) ? name : name + "." + this.method.getName();
	}

	@Override
	public String toString() {
		return ClassUtils.getQualifiedMethodName(this.method, this.type);
	}

}

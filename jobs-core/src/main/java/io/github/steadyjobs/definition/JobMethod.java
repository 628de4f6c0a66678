package io.github.steadyjobs.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.arguments.BeanMethod;

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
	 * Find the methods of a class that are jobs, including those of superclasses and
	 * interfaces, in the order of their names.
	 */
	static List<JobMethod> find(Class<?> type, Problems problems) {
		if (!AnnotationUtils.isCandidateClass(type, Job.class)) {
			return List.of();
		}
		List<JobMethod> found = new ArrayList<>();
		BeanMethod.select(type, (method) -> AnnotatedElementUtils.findMergedAnnotation(method, Job.class))
			.forEach((method, job) -> found.add(new JobMethod(type, method, job, false)));
		Job onClass = AnnotatedElementUtils.findMergedAnnotation(type, Job.class);
		if (onClass != null) {
			addPerform(type, onClass, found, problems);
		}
		// Reflection has no order, and messages should have one.
		found.sort(Comparator.comparing((method) -> method.method().getName() + method.method()));
		return found;
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
	 * Return the name of a job whose annotation has none; empty for an anonymous class.
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

package io.github.steadyjobs.definition;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.arguments.BeanMethod;

import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Finds the methods of a class that are jobs, and names those that have no name.
 */
final class JobMethods {

	private static final String PERFORM = "perform";

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

	/**
	 * Refuse annotations where there is no job.
	 * @param mark how the annotation is written
	 * @param annotation the annotation, or the container of several
	 */
	static void checkStray(Class<?> type, List<BeanMethod<Job>> jobs, String mark,
			Class<? extends Annotation> annotation, Problems problems) {
		// The class of the instance may add the @Job, and is looked at when it is known.
		if (Modifier.isAbstract(type.getModifiers())) {
			return;
		}
		BeanMethod.find(type, annotation)
			.stream()
			.filter((method) -> jobs.stream().noneMatch((job) -> job.method().equals(method.method())))
			.forEach((method) -> problems.add("%s is %s and no @Job.".formatted(method, mark),
					"Put @Job on it as well, or remove %s.".formatted(mark)));
		if (AnnotatedElementUtils.hasAnnotation(type, annotation)
				&& !AnnotatedElementUtils.hasAnnotation(type, Job.class)) {
			problems.add("%s is %s and has no @Job on the class.".formatted(type.getName(), mark),
					"Put %s beside the @Job that it is for.".formatted(mark));
		}
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

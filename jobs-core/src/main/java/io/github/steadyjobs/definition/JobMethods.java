package io.github.steadyjobs.definition;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.arguments.BeanMethod;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Finds the methods of a class that are jobs, and determines their default names.
 */
final class JobMethods {

	/** Annotations that a job may have in addition to @Job. */
	private static final List<Class<? extends Annotation>> BESIDE = List.of(Sequential.class, Recurring.class);

	/** Annotations that a class may have for all of its jobs. */
	private static final List<Class<? extends Annotation>> SHARED = List.of(Idempotent.class, NotIdempotent.class);

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
		// A subclass may add @Job, and is examined as soon as the class of the instance
		// is known.
		if (Modifier.isAbstract(type.getModifiers())) {
			return;
		}
		Set<Method> known = jobs.stream().map(BeanMethod::method).collect(Collectors.toSet());
		Map<Method, List<String>> stray = BeanMethod.select(type, (method) -> {
			MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
			List<String> marks = Stream.concat(marks(annotations, BESIDE), marks(annotations, SHARED)).toList();
			return (known.contains(method) || marks.isEmpty()) ? null : marks;
		});
		// Reflection returns methods in no particular order, but messages need a fixed
		// order.
		stray.entrySet()
			.stream()
			.sorted(Comparator.comparing((found) -> found.getKey().getName() + found.getKey()))
			.forEach((found) -> report(ClassUtils.getQualifiedMethodName(found.getKey(), type),
					found.getValue().stream(), "", "Put @Job on it as well, or remove %s.", problems));
		MergedAnnotations above = MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY);
		if (!above.isPresent(Job.class)) {
			report(type.getName(), marks(above, BESIDE), " on the class", "Put %s beside the @Job that it is for.",
					problems);
		}
		if (jobs.isEmpty()) {
			report(type.getName(), marks(MergedAnnotations.from(type), SHARED), "",
					"Put @Job on the methods that are jobs, or remove %s.", problems);
		}
	}

	private static Stream<String> marks(MergedAnnotations annotations, List<Class<? extends Annotation>> wanted) {
		return wanted.stream().filter(annotations::isPresent).map((annotation) -> "@" + annotation.getSimpleName());
	}

	private static void report(String place, Stream<String> marks, String where, String action, Problems problems) {
		marks.forEach((mark) -> problems.add("%s has %s but no @Job%s.".formatted(place, mark, where),
				action.formatted(mark)));
	}

	private static boolean isPerform(Method method) {
		return method.getName().equals("perform") && Modifier.isPublic(method.getModifiers());
	}

	/**
	 * Return the name of a job whose annotation sets no name; empty for an anonymous or
	 * hidden class.
	 */
	static String defaultName(BeanMethod<Job> job) {
		String name = job.type().isHidden() ? "" : job.type().getSimpleName();
		boolean onMethod = AnnotatedElementUtils.hasAnnotation(job.method(), Job.class);
		return (onMethod && !name.isEmpty()) ? name + "." + job.method().getName() : name;
	}

}

package io.github.steadyjobs.definition;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.arguments.BeanMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Refuses what says of something that is no job whether it is idempotent.
 */
final class StrayDeclarations {

	private StrayDeclarations() {
	}

	static void check(Class<?> type, List<JobMethod> jobs, Problems problems) {
		// The class of the instance may add the @Job, and is looked at when it is known.
		if (Modifier.isAbstract(type.getModifiers())
				|| !AnnotationUtils.isCandidateClass(type, List.of(Idempotent.class, NotIdempotent.class))) {
			return;
		}
		Declared onClass = Declared.of(type);
		if (jobs.isEmpty() && !onClass.isEmpty()) {
			problems.add("%s is %s and has no @Job.".formatted(type.getName(), onClass.mark()),
					"Put @Job on the methods that are jobs, or remove %s.".formatted(onClass.mark()));
		}
		// Also where each job has a declaration of its own.
		onClass.check(problems);
		if (!mayDeclare(type)) {
			return;
		}
		Map<Method, Declared> declared = BeanMethod.select(type, (method) -> onMethod(type, method));
		jobs.forEach((job) -> declared.remove(job.method()));
		// Reflection has no order, and messages should have one.
		declared.values()
			.stream()
			.sorted((one, other) -> one.place().compareTo(other.place()))
			.forEach((stray) -> problems.add("%s is %s and no @Job.".formatted(stray.place(), stray.mark()),
					"Put @Job on it as well, or remove %s.".formatted(stray.mark())));
	}

	/**
	 * Look whether there is anything to look for, without looking it up for each method
	 * in everything that the method overrides: this is done for all beans of the
	 * application, of which hardly any has something.
	 */
	private static boolean mayDeclare(Class<?> type) {
		Set<Class<?>> hierarchy = ClassUtils.getAllInterfacesForClassAsSet(type);
		for (Class<?> above = type; above != null && above != Object.class; above = above.getSuperclass()) {
			hierarchy.add(above);
		}
		try {
			return hierarchy.stream()
				.flatMap((element) -> Stream.of(ReflectionUtils.getDeclaredMethods(element)))
				.flatMap((method) -> Stream.of(method.getDeclaredAnnotations()))
				.map(Annotation::annotationType)
				.anyMatch(StrayDeclarations::isDeclaration);
		}
		catch (IllegalStateException | LinkageError ex) {
			// As in BeanMethod, where it is logged.
			return false;
		}
	}

	private static boolean isDeclaration(Class<? extends Annotation> annotation) {
		if (annotation == Idempotent.class || annotation == NotIdempotent.class) {
			return true;
		}
		MergedAnnotations meta = MergedAnnotations.from(annotation);
		return meta.isPresent(Idempotent.class) || meta.isPresent(NotIdempotent.class);
	}

	private static @Nullable Declared onMethod(Class<?> type, Method method) {
		MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		if (!annotations.isPresent(Idempotent.class) && !annotations.isPresent(NotIdempotent.class)) {
			return null;
		}
		return Declared.of(ClassUtils.getQualifiedMethodName(method, type), annotations);
	}

}

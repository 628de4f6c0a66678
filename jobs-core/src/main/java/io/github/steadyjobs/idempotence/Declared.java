package io.github.steadyjobs.idempotence;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.arguments.BeanMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * What one method or one class says about a second run.
 *
 * @param place where it says so
 * @param idempotent the one annotation, merged, or {@code null}
 * @param notIdempotent the other one, or {@code null}
 */
record Declared(String place, @Nullable Idempotent idempotent, @Nullable NotIdempotent notIdempotent) {

	/**
	 * Find what is said about a job: by its method, or else by the class of its bean.
	 * @param method the method
	 * @return what was found
	 */
	static Declared of(BeanMethod method) {
		Declared onMethod = of(method.toString(),
				MergedAnnotations.from(method.method(), SearchStrategy.TYPE_HIERARCHY));
		return onMethod.isEmpty() ? of(method.type()) : onMethod;
	}

	/**
	 * Find what a class says itself: what is said above it counts for other code.
	 * @param type the class
	 * @return what was found
	 */
	static Declared of(Class<?> type) {
		return of(type.getName(), MergedAnnotations.from(type, SearchStrategy.DIRECT));
	}

	/**
	 * Find what is said in a hierarchy, of which the nearest element counts.
	 * @param place where the hierarchy begins
	 * @param annotations the annotations
	 * @return what was found
	 */
	static Declared of(String place, MergedAnnotations annotations) {
		MergedAnnotation<Idempotent> yes = annotations.get(Idempotent.class);
		MergedAnnotation<NotIdempotent> no = annotations.get(NotIdempotent.class);
		boolean both = yes.isPresent() && no.isPresent();
		int order = both ? Integer.compare(yes.getAggregateIndex(), no.getAggregateIndex()) : 0;
		return new Declared(place, (yes.isPresent() && order <= 0) ? yes.synthesize() : null,
				(no.isPresent() && order >= 0) ? no.synthesize() : null);
	}

	boolean isEmpty() {
		return this.idempotent == null && this.notIdempotent == null;
	}

	/**
	 * Return the annotation as it is written, for messages.
	 */
	String mark() {
		return (this.idempotent != null) ? "@Idempotent" : "@NotIdempotent";
	}

	void check(BiConsumer<String, String> problems) {
		if (this.idempotent != null && this.notIdempotent != null) {
			problems.accept("%s is both @Idempotent and @NotIdempotent.".formatted(this.place),
					"Leave @Idempotent if a second run with the same arguments changes nothing more, and else @NotIdempotent.");
		}
		if (this.notIdempotent != null && this.notIdempotent.value().isBlank()) {
			problems.accept("%s is @NotIdempotent without a reason.".formatted(this.place),
					"Say why, and what guards against a second run, as in @NotIdempotent(\"posts money; guarded by the ledger\").");
		}
	}

	/**
	 * Refuse declarations on what is no job.
	 * @param type the class of a bean
	 * @param jobs its methods that are jobs
	 * @param problems takes what is wrong
	 */
	static void checkStray(Class<?> type, List<? extends BeanMethod> jobs, BiConsumer<String, String> problems) {
		// The class of the instance may add the @Job, and is looked at when it is known.
		if (Modifier.isAbstract(type.getModifiers())
				|| !AnnotationUtils.isCandidateClass(type, List.of(Idempotent.class, NotIdempotent.class))) {
			return;
		}
		Declared onClass = of(type);
		if (jobs.isEmpty() && !onClass.isEmpty()) {
			problems.accept("%s is %s and has no @Job.".formatted(type.getName(), onClass.mark()),
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
			.forEach((stray) -> problems.accept("%s is %s and no @Job.".formatted(stray.place(), stray.mark()),
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
				.anyMatch(Declared::isDeclaration);
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
		return of(ClassUtils.getQualifiedMethodName(method, type), annotations);
	}

}

package io.github.steadyjobs.idempotence;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.arguments.BeanMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
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
	 * Find what the method of a job says, or the class of its bean if the method says
	 * nothing.
	 */
	static Declared of(BeanMethod<?> method) {
		Declared onMethod = of(method.toString(),
				MergedAnnotations.from(method.method(), SearchStrategy.TYPE_HIERARCHY));
		return onMethod.isEmpty() ? of(method.type()) : onMethod;
	}

	/**
	 * Find what a class says itself: what classes above it say counts for other code.
	 */
	private static Declared of(Class<?> type) {
		return of(type.getName(), MergedAnnotations.from(type, SearchStrategy.DIRECT));
	}

	/**
	 * Find what is said in a hierarchy, whose nearest element counts.
	 */
	private static Declared of(String place, MergedAnnotations annotations) {
		MergedAnnotation<Idempotent> yes = annotations.get(Idempotent.class);
		MergedAnnotation<NotIdempotent> no = annotations.get(NotIdempotent.class);
		boolean both = yes.isPresent() && no.isPresent();
		int order = both ? Integer.compare(yes.getAggregateIndex(), no.getAggregateIndex()) : 0;
		return new Declared(place, (yes.isPresent() && order <= 0) ? yes.synthesize() : null,
				(no.isPresent() && order >= 0) ? no.synthesize() : null);
	}

	private boolean isEmpty() {
		return this.idempotent == null && this.notIdempotent == null;
	}

	private String mark() {
		return (this.idempotent != null) ? "@Idempotent" : "@NotIdempotent";
	}

	void check(BiConsumer<String, String> problems) {
		if (this.idempotent != null && this.notIdempotent != null) {
			problems.accept("%s is both @Idempotent and @NotIdempotent.".formatted(this.place),
					"Keep @Idempotent if a second run with the same arguments changes nothing more, and @NotIdempotent otherwise.");
		}
		if (this.notIdempotent != null && this.notIdempotent.value().isBlank()) {
			problems.accept("%s is @NotIdempotent without a reason.".formatted(this.place),
					"Say why, and what guards against a second run, as in @NotIdempotent(\"posts money; guarded by the ledger\").");
		}
	}

	/**
	 * Refuse declarations where there is no job.
	 */
	static void checkStray(Class<?> type, List<? extends BeanMethod<?>> jobs, BiConsumer<String, String> problems) {
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
		Set<Method> stray = declaringMethods(type);
		jobs.forEach((job) -> stray.remove(job.method()));
		// Reflection has no order, and messages should have one.
		stray.stream()
			.map((method) -> of(ClassUtils.getQualifiedMethodName(method, type),
					MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)))
			.sorted(Comparator.comparing(Declared::place))
			.forEach((declared) -> problems.accept("%s is %s and no @Job.".formatted(declared.place(), declared.mark()),
					"Put @Job on it as well, or remove %s.".formatted(declared.mark())));
	}

	/**
	 * Find the methods that have a declaration, or override one that has. This is done
	 * for all beans of the application, hardly any of which have one, so each method is
	 * looked at once, where it is declared, and not again in everything that overrides
	 * it.
	 */
	private static Set<Method> declaringMethods(Class<?> type) {
		Set<Class<?>> hierarchy = ClassUtils.getAllInterfacesForClassAsSet(type);
		for (Class<?> above = type; above != null && above != Object.class; above = above.getSuperclass()) {
			hierarchy.add(above);
		}
		try {
			return hierarchy.stream()
				.flatMap((element) -> Stream.of(ReflectionUtils.getDeclaredMethods(element)))
				.filter((method) -> !of("", MergedAnnotations.from(method)).isEmpty())
				.map((method) -> AopUtils.getMostSpecificMethod(method, type))
				.collect(Collectors.toSet());
		}
		catch (IllegalStateException | LinkageError ex) {
			// As in BeanMethod, where it is logged.
			return new HashSet<>();
		}
	}

}

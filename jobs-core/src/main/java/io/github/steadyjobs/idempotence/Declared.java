package io.github.steadyjobs.idempotence;

import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.BiConsumer;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.arguments.BeanMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * The declaration of one method or class about a second run.
 *
 * @param place where it says so
 * @param idempotent the one annotation, merged, or {@code null}
 * @param notIdempotent the other one, or {@code null}
 */
record Declared(String place, @Nullable Idempotent idempotent, @Nullable NotIdempotent notIdempotent) {

	/** Find the declaration of a job's method or, without one, of its bean's class. */
	static Declared of(BeanMethod<?> method) {
		Declared onMethod = of(method.toString(),
				MergedAnnotations.from(method.method(), SearchStrategy.TYPE_HIERARCHY));
		return onMethod.isEmpty() ? of(method.type()) : onMethod;
	}

	/**
	 * Find the declaration of a class itself: those of its superclasses concern other
	 * code.
	 */
	private static Declared of(Class<?> type) {
		return of(type.getName(), MergedAnnotations.from(type, SearchStrategy.DIRECT));
	}

	/** Find the declaration in a hierarchy, in which the nearest element counts. */
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

	/** Check the declaration of a class, even if each of its jobs has its own. */
	static void check(Class<?> type, boolean withoutJobs, BiConsumer<String, String> problems) {
		// The class of the instance may add the @Job, and is looked at when it is known.
		if (Modifier.isAbstract(type.getModifiers())
				|| !AnnotationUtils.isCandidateClass(type, List.of(Idempotent.class, NotIdempotent.class))) {
			return;
		}
		Declared onClass = of(type);
		if (withoutJobs && !onClass.isEmpty()) {
			String mark = (onClass.idempotent() != null) ? "@Idempotent" : "@NotIdempotent";
			problems.accept("%s is %s and has no @Job.".formatted(type.getName(), mark),
					"Put @Job on the methods that are jobs, or remove %s.".formatted(mark));
		}
		onClass.check(problems);
	}

}

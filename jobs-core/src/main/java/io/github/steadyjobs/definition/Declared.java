package io.github.steadyjobs.definition;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.NotIdempotent;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

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
	static Declared of(JobMethod method) {
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

	void check(Problems problems) {
		if (this.idempotent != null && this.notIdempotent != null) {
			problems.add("%s is both @Idempotent and @NotIdempotent.".formatted(this.place),
					"Leave @Idempotent if a second run with the same arguments changes nothing more, and else @NotIdempotent.");
		}
		if (this.notIdempotent != null && this.notIdempotent.value().isBlank()) {
			problems.add("%s is @NotIdempotent without a reason.".formatted(this.place),
					"Say why, and what guards against a second run, as in @NotIdempotent(\"posts money; guarded by the ledger\").");
		}
	}

}

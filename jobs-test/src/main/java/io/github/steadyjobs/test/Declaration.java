package io.github.steadyjobs.test;

import java.lang.reflect.Method;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.NotIdempotent;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * The declaration, by annotations, of whether a job may run more than once.
 *
 * @param idempotent whether the job is declared idempotent
 * @param notIdempotent whether the job is declared not idempotent
 * @param reason why the job is not idempotent; empty if no reason is given
 */
record Declaration(boolean idempotent, boolean notIdempotent, String reason) {

	private static final Declaration NONE = new Declaration(false, false, "");

	/**
	 * Return the declaration for a method of a bean: the declaration on the method or, if
	 * the method has none, on the class.
	 */
	static Declaration of(Method method, Class<?> type) {
		Declaration onMethod = on(method);
		return onMethod.isPresent() ? onMethod : on(type);
	}

	/**
	 * Return the declaration on a method or, if the method has none, on the nearest
	 * overridden method that has a declaration.
	 */
	static Declaration on(Method method) {
		return read(MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY));
	}

	/**
	 * Return the declaration on a class itself. The declaration on a superclass applies
	 * only to the jobs of that superclass.
	 */
	static Declaration on(Class<?> type) {
		return read(MergedAnnotations.from(type, SearchStrategy.DIRECT));
	}

	private static Declaration read(MergedAnnotations annotations) {
		MergedAnnotation<Idempotent> idempotent = annotations.get(Idempotent.class);
		MergedAnnotation<NotIdempotent> notIdempotent = annotations.get(NotIdempotent.class);
		if (!idempotent.isPresent() && !notIdempotent.isPresent()) {
			return NONE;
		}
		int nearest = Math.min(distance(idempotent), distance(notIdempotent));
		boolean not = distance(notIdempotent) == nearest;
		return new Declaration(distance(idempotent) == nearest, not,
				not ? notIdempotent.getString(MergedAnnotation.VALUE).strip() : "");
	}

	private static int distance(MergedAnnotation<?> annotation) {
		return annotation.isPresent() ? annotation.getAggregateIndex() : Integer.MAX_VALUE;
	}

	boolean isPresent() {
		return this.idempotent || this.notIdempotent;
	}

	boolean isContradictory() {
		return this.idempotent && this.notIdempotent;
	}

	boolean lacksReason() {
		return this.notIdempotent && this.reason.isEmpty();
	}

}

package io.github.steadyjobs.idempotence;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.IdempotenceStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The rules for equal jobs, from annotation and configuration. Thread safe.
 *
 * @param declaration what the job says about a second run
 * @param settings how the job is deduplicated, without a key; {@code null} unless the job
 * is idempotent
 * @param key computes what is compared instead of the arguments, from the name of the job
 * and its arguments; {@code null} if the arguments are compared
 * @param custom returns the strategy of the application that decides for each job;
 * {@code null} if there is none
 */
public record JobIdempotence(Declaration declaration, @Nullable Idempotence settings,
		@Nullable BiFunction<String, List<? extends @Nullable Object>, Object> key,
		@Nullable Supplier<IdempotenceStrategy> custom) {

	/** Says nothing. */
	public static final JobIdempotence UNDECLARED = new JobIdempotence(Declaration.UNDECLARED, null, null, null);

	static final JobIdempotence NOT_IDEMPOTENT = new JobIdempotence(Declaration.NOT_IDEMPOTENT, null, null, null);

	/** The declaration of a job about a second run with the same arguments. */
	public enum Declaration {

		/** Nothing. */
		UNDECLARED,

		/**
		 * That it has a further effect: {@link io.github.steadyjobs.NotIdempotent}.
		 */
		NOT_IDEMPOTENT,

		/** That it has none: {@link io.github.steadyjobs.Idempotent}. */
		IDEMPOTENT

	}

}

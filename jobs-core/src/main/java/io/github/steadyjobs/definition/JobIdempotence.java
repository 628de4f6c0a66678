package io.github.steadyjobs.definition;

import java.util.function.Supplier;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.IdempotenceStrategy;
import org.jspecify.annotations.Nullable;

/**
 * What annotation and configuration say about equal jobs.
 *
 * @param declaration what the job says about a second run
 * @param idempotence how it is deduplicated, without a key; {@code null} unless it is
 * idempotent
 * @param key what is compared, or {@code null} for the arguments
 * @param custom the strategy of the application, or {@code null} for none
 */
record JobIdempotence(Declaration declaration, @Nullable Idempotence idempotence, @Nullable KeyExpression key,
		@Nullable Supplier<IdempotenceStrategy> custom) {

	static final JobIdempotence UNDECLARED = new JobIdempotence(Declaration.UNDECLARED, null, null, null);

	static final JobIdempotence NOT_IDEMPOTENT = new JobIdempotence(Declaration.NOT_IDEMPOTENT, null, null, null);

}

package io.github.steadyjobs.idempotence;

import java.util.List;
import java.util.function.Supplier;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.IdempotenceStrategy;
import io.github.steadyjobs.InvalidJobException;
import org.jspecify.annotations.Nullable;

/**
 * What annotation and configuration say about equal jobs. Thread safe.
 */
public final class JobIdempotence {

	static final JobIdempotence UNDECLARED = new JobIdempotence(Declaration.UNDECLARED, null, null, null);

	static final JobIdempotence NOT_IDEMPOTENT = new JobIdempotence(Declaration.NOT_IDEMPOTENT, null, null, null);

	private final Declaration declaration;

	private final @Nullable Idempotence settings;

	private final @Nullable DeduplicationKeyExpression key;

	private final @Nullable Supplier<IdempotenceStrategy> custom;

	private JobIdempotence(Declaration declaration, @Nullable Idempotence settings,
			@Nullable DeduplicationKeyExpression key, @Nullable Supplier<IdempotenceStrategy> custom) {
		this.declaration = declaration;
		this.settings = settings;
		this.key = key;
		this.custom = custom;
	}

	static JobIdempotence idempotent(Idempotence settings, @Nullable DeduplicationKeyExpression key,
			@Nullable Supplier<IdempotenceStrategy> custom) {
		return new JobIdempotence(Declaration.IDEMPOTENT, settings, key, custom);
	}

	/**
	 * Return what the job says about a second run.
	 * @return the declaration
	 */
	public Declaration declaration() {
		return this.declaration;
	}

	/**
	 * Return how the job is deduplicated.
	 * @return the settings, without a key; {@code null} unless the job is idempotent
	 */
	public @Nullable Idempotence settings() {
		return this.settings;
	}

	/**
	 * Return what is compared in place of the arguments.
	 * @param job the name of the job
	 * @param arguments the arguments
	 * @return a value that JSON can hold, or {@code null} if the arguments are compared
	 * @throws InvalidJobException if there is an expression, and it fails for these
	 * arguments or is {@code null}; the message has no argument in it
	 */
	public @Nullable Object key(String job, List<? extends @Nullable Object> arguments) {
		return (this.key != null) ? this.key.evaluate(job, arguments) : null;
	}

	/**
	 * Return the strategy of the application that decides for each job.
	 * @return the bean, or an instance that is always the same; {@code null} for none
	 * @throws org.springframework.beans.BeansException if it is a bean that cannot be
	 * created
	 */
	public @Nullable IdempotenceStrategy customStrategy() {
		return (this.custom != null) ? this.custom.get() : null;
	}

	/**
	 * What a job says about a second run with the same arguments.
	 */
	public enum Declaration {

		/**
		 * Nothing.
		 */
		UNDECLARED,

		/**
		 * That it has an effect of its own: {@link io.github.steadyjobs.NotIdempotent}.
		 */
		NOT_IDEMPOTENT,

		/**
		 * That it has none: {@link io.github.steadyjobs.Idempotent}.
		 */
		IDEMPOTENT

	}

}

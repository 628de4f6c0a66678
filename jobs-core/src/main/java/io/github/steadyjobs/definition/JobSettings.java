package io.github.steadyjobs.definition;

import java.util.OptionalInt;

import io.github.steadyjobs.idempotence.IdempotenceSettings;
import org.jspecify.annotations.Nullable;

/**
 * What configuration says about one job. Each value that is not {@code null} overrides
 * that of the annotation.
 *
 * @param queue the queue
 * @param retries the retries, empty for as many as the worker says
 * @param dead whether the job is kept when it is dead
 * @param deduplicate whether duplicates of the job may be dropped
 * @param batchSize the keys of a call of an ordered job
 * @param shards the shards of the queue of an ordered job
 * @param options how the job is tried
 * @param idempotence how an idempotent job is deduplicated
 */
public record JobSettings(@Nullable String queue, @Nullable OptionalInt retries, @Nullable Boolean dead,
		@Nullable Boolean deduplicate, @Nullable Integer batchSize, @Nullable Integer shards, OptionSettings options,
		IdempotenceSettings idempotence) {

	static final JobSettings NONE = new JobSettings(null, null, null);

	/**
	 * Create settings that say nothing about duplicates and order.
	 */
	public JobSettings(@Nullable String queue, @Nullable Integer retries, @Nullable Boolean dead) {
		this(queue, (retries != null) ? OptionalInt.of(retries) : null, dead, null, IdempotenceSettings.NONE);
	}

	/**
	 * Create settings that say nothing about order, nor how the job is tried.
	 */
	public JobSettings(@Nullable String queue, @Nullable OptionalInt retries, @Nullable Boolean dead,
			@Nullable Boolean deduplicate, IdempotenceSettings idempotence) {
		this(queue, retries, dead, deduplicate, null, null, OptionSettings.NONE, idempotence);
	}

}

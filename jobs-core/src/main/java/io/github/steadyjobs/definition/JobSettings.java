package io.github.steadyjobs.definition;

import io.github.steadyjobs.idempotence.IdempotenceSettings;
import org.jspecify.annotations.Nullable;

/**
 * What configuration says about one job. Each value that is not {@code null} overrides
 * that of the annotation.
 *
 * @param queue the queue
 * @param retries the retries
 * @param dead whether the job is kept when it is dead
 * @param deduplicate whether duplicates of the job may be dropped
 * @param idempotence how an idempotent job is deduplicated
 */
public record JobSettings(@Nullable String queue, @Nullable Integer retries, @Nullable Boolean dead,
		@Nullable Boolean deduplicate, IdempotenceSettings idempotence) {

	static final JobSettings NONE = new JobSettings(null, null, null);

	/**
	 * Create settings that say nothing about duplicates.
	 */
	public JobSettings(@Nullable String queue, @Nullable Integer retries, @Nullable Boolean dead) {
		this(queue, retries, dead, null, IdempotenceSettings.NONE);
	}

}

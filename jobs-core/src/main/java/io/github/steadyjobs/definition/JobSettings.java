package io.github.steadyjobs.definition;

import io.github.steadyjobs.idempotence.IdempotenceSettings;
import org.jspecify.annotations.Nullable;

/**
 * What configuration says about one job. It goes before what the annotations say.
 *
 * @param queue the queue, or {@code null} for that of the annotation
 * @param retries the retries, or {@code null} for those of the annotation
 * @param dead whether the job is kept when it is dead, or {@code null} for the choice of
 * the annotation
 * @param deduplicate whether equal ones of the job may be dropped, or {@code null} for
 * what annotation and request say
 * @param idempotence how an idempotent job is deduplicated
 */
public record JobSettings(@Nullable String queue, @Nullable Integer retries, @Nullable Boolean dead,
		@Nullable Boolean deduplicate, IdempotenceSettings idempotence) {

	static final JobSettings NONE = new JobSettings(null, null, null);

	/**
	 * Create settings that say nothing about duplicates.
	 * @param queue the queue, or {@code null} for that of the annotation
	 * @param retries the retries, or {@code null} for those of the annotation
	 * @param dead whether the job is kept when it is dead, or {@code null} for the choice
	 * of the annotation
	 */
	public JobSettings(@Nullable String queue, @Nullable Integer retries, @Nullable Boolean dead) {
		this(queue, retries, dead, null, IdempotenceSettings.NONE);
	}

}

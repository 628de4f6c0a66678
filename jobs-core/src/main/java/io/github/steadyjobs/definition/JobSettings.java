package io.github.steadyjobs.definition;

import org.jspecify.annotations.Nullable;

/**
 * What configuration says about one job. It goes before what the annotation says.
 *
 * @param queue the queue, or {@code null} for that of the annotation
 * @param retries the retries, or {@code null} for those of the annotation
 * @param dead whether the job is kept when it is dead, or {@code null} for the choice of
 * the annotation
 */
public record JobSettings(@Nullable String queue, @Nullable Integer retries, @Nullable Boolean dead) {

	static final JobSettings NONE = new JobSettings(null, null, null);

}

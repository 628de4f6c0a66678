package io.github.steadyjobs.idempotence;

import java.time.Duration;

import io.github.steadyjobs.Idempotent.IfDuplicate;
import io.github.steadyjobs.Idempotent.Strategy;
import org.jspecify.annotations.Nullable;

/**
 * What configuration says about the duplicates of one job. Each value that is not
 * {@code null} overrides that of {@link io.github.steadyjobs.Idempotent}, which the job
 * must have.
 *
 * @param strategy when a job is a duplicate
 * @param ttl the longest time for which a job keeps others from being enqueued
 * @param ifDuplicate what to do with a duplicate
 * @param includeScheduled whether jobs that are scheduled for later take part
 * @param keepConsistency whether the newest position of each source of data is kept
 */
public record IdempotenceSettings(@Nullable Strategy strategy, @Nullable Duration ttl,
		@Nullable IfDuplicate ifDuplicate, @Nullable Boolean includeScheduled, @Nullable Boolean keepConsistency) {

	/** Nothing but what the annotation says. */
	public static final IdempotenceSettings NONE = new IdempotenceSettings(null, null, null, null, null);

}

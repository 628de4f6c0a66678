package io.github.steadyjobs.idempotence;

import java.time.Duration;

import io.github.steadyjobs.Idempotent.IfDuplicate;
import io.github.steadyjobs.Idempotent.Strategy;
import org.jspecify.annotations.Nullable;

/**
 * What configuration says about the duplicates of one job. Each value goes before that of
 * {@link io.github.steadyjobs.Idempotent}, which the job has to have.
 *
 * @param strategy when a job is a duplicate, or {@code null}
 * @param ttl how long a job keeps others from being enqueued at most, or {@code null}
 * @param ifDuplicate what becomes of a duplicate, or {@code null}
 * @param includeScheduled whether jobs that are scheduled for later take part, or
 * {@code null}
 * @param keepConsistency whether the newest position of each source of data is kept, or
 * {@code null}
 */
public record IdempotenceSettings(@Nullable Strategy strategy, @Nullable Duration ttl,
		@Nullable IfDuplicate ifDuplicate, @Nullable Boolean includeScheduled, @Nullable Boolean keepConsistency) {

	/**
	 * Nothing but what the annotation says.
	 */
	public static final IdempotenceSettings NONE = new IdempotenceSettings(null, null, null, null, null);

}

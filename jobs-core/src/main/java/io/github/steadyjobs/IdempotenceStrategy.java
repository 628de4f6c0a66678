package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Decides how each job of an {@link Idempotent#custom()} declaration is deduplicated. One
 * instance serves all threads and must be thread safe.
 */
@FunctionalInterface
public interface IdempotenceStrategy {

	/**
	 * Decide how to deduplicate one job that is about to be enqueued. Called after all
	 * {@link ClientInterceptor interceptors}.
	 * @param request the request; its target is always {@link JobRequest.Named}, and its
	 * queue is set
	 * @param declared the other settings of the annotation
	 * @return how to deduplicate the job, by the declared key or the arguments if no
	 * {@linkplain Idempotence#key(String) key} is set; {@code null} to always enqueue the
	 * job
	 * @throws InvalidJobException to refuse the job; any other exception has the same
	 * effect
	 */
	@Nullable Idempotence decide(JobRequest request, Idempotence declared);

}

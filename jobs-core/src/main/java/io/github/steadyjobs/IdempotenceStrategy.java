package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Decides how each job of an {@link Idempotent#custom()} declaration is deduplicated. One
 * instance serves all threads and must be thread safe.
 */
@FunctionalInterface
public interface IdempotenceStrategy {

	/**
	 * Decide about one job that is about to be enqueued, after all
	 * {@link ClientInterceptor interceptors}.
	 * @param request the request; its target is always {@link JobRequest.Named}, and its
	 * queue is set
	 * @param declared the other settings of the annotation
	 * @return how to deduplicate the job, with the {@linkplain Idempotence#key(String)
	 * key} where the arguments are not to be compared; {@code null} to enqueue it in any
	 * case
	 * @throws InvalidJobException or any other exception to refuse the job
	 */
	@Nullable Idempotence decide(JobRequest request, Idempotence declared);

}

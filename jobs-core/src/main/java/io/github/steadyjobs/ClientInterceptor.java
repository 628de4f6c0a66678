package io.github.steadyjobs;

/**
 * Intercepts every request to enqueue a job. Called once per job, and not again when a
 * scheduled job becomes due or when a job is retried or recovered.
 * <p>
 * Interceptors run in {@link org.springframework.core.Ordered} order, with the first
 * interceptor outermost. One instance serves all threads and must be thread safe.
 */
@FunctionalInterface
public interface ClientInterceptor {

	/**
	 * Enqueue the job, change the request before enqueueing it, or stop it. To enqueue
	 * another job instead, proceed with
	 * {@code JobRequest.named("other", …).options(request.options())}.
	 * <p>
	 * Redis usually answers before the chain returns. There are two exceptions:
	 * <ul>
	 * <li>If the job is to be stored after the commit of a transaction, the chain returns
	 * {@link EnqueueResult.Deferred}.</li>
	 * <li>Redis receives the jobs of a {@linkplain JobClient#enqueueAll bulk push} and of
	 * the ticks of {@link Recurring} jobs only after all interceptors have returned. The
	 * chain returns {@link EnqueueResult.Enqueued} or {@link EnqueueResult.Scheduled}
	 * with {@link Durability#STORED}, although the job may turn out to be a
	 * duplicate.</li>
	 * </ul>
	 * @param request the request; its target is always {@link JobRequest.Named}, and its
	 * queue is set
	 * @param chain the rest of the chain, which must be called at most once
	 * @return the result of the chain, or {@link Chain#stop()}
	 */
	EnqueueResult intercept(JobRequest request, Chain chain);

	/** The rest of the chain. */
	interface Chain {

		/**
		 * Proceed with the next interceptor or, after the last one, store the job.
		 * @return the result of the request
		 */
		EnqueueResult proceed(JobRequest request);

		/**
		 * Return the result with which an interceptor stops the request.
		 * @return the result, which the interceptor must return
		 */
		EnqueueResult stop();

		/**
		 * Return the id that the job has or will have.
		 * @return 24 lower-case hex digits
		 */
		String id();

	}

}

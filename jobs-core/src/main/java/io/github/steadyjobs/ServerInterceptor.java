package io.github.steadyjobs;

/**
 * Called around every run of a job, retries included.
 * <p>
 * Interceptors run in {@link org.springframework.core.Ordered} order, the first one
 * outermost. One instance serves all workers of a process and must be thread safe.
 */
@FunctionalInterface
public interface ServerInterceptor {

	/**
	 * Run something around a job. An interceptor that does not proceed skips the job,
	 * which then has ended and is counted as <em>skipped</em>, apart from those done.
	 * @param job the job about to run
	 * @param chain the rest of the chain, to be called at most once
	 * @throws Exception to fail the job: its retry policy applies
	 */
	void intercept(JobContext job, Chain chain) throws Exception;

	/** The rest of the chain. */
	@FunctionalInterface
	interface Chain {

		/**
		 * Proceed with the next interceptor or, after the last one, with the job's
		 * method.
		 * @throws Exception if the job failed
		 */
		void proceed() throws Exception;

	}

}

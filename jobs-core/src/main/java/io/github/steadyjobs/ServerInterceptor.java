package io.github.steadyjobs;

/**
 * Intercepts every run of a job, including retries.
 * <p>
 * Interceptors run in {@link org.springframework.core.Ordered} order, with the first
 * interceptor outermost. One instance serves all workers of a process and must be thread
 * safe.
 */
@FunctionalInterface
public interface ServerInterceptor {

	/**
	 * Intercept the run of a job. An interceptor that does not proceed skips the job. The
	 * job has then ended, with the outcome {@link JobOutcome#SKIPPED}.
	 * @param job the job about to run
	 * @param chain the rest of the chain, which must be called at most once
	 * @throws Exception with the same effect as an exception of the job: usually the run
	 * fails, and the job's retry policy applies
	 */
	void intercept(JobContext job, Chain chain) throws Exception;

	/** The rest of the chain. */
	@FunctionalInterface
	interface Chain {

		/**
		 * Proceed with the next interceptor or, after the last one, with the job's
		 * method.
		 * @throws Exception the exception of the job or of a later interceptor. Not every
		 * exception is a failure: a {@link SnoozeJobException} is not, for example
		 */
		void proceed() throws Exception;

	}

}

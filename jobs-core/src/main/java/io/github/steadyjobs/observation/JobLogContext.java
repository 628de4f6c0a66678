package io.github.steadyjobs.observation;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.ServerInterceptor;
import org.slf4j.MDC;

import org.springframework.core.Ordered;

/**
 * Adds the details of the running job to every line that the job logs, under the MDC keys
 * {@code jobId}, {@code jobName}, {@code jobQueue}, {@code jobAttempt} and {@code
 * capsule}. Thread safe.
 */
public final class JobLogContext implements ServerInterceptor, Ordered {

	@Override
	public void intercept(JobContext job, Chain chain) throws Exception {
		MDC.put("jobId", job.id());
		MDC.put("jobName", job.name());
		MDC.put("jobQueue", job.queue());
		MDC.put("jobAttempt", Integer.toString(job.attempt()));
		MDC.put("capsule", job.capsule());
		try {
			chain.proceed();
		}
		finally {
			// The thread belongs to the worker alone, so all values belong to this run.
			MDC.clear();
		}
	}

	@Override
	public int getOrder() {
		// Outside all interceptors without a priority, so that their log lines also carry
		// these values.
		return Ordered.HIGHEST_PRECEDENCE;
	}

}

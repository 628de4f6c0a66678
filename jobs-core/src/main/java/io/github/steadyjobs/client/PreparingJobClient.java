package io.github.steadyjobs.client;

import java.util.function.Consumer;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.redis.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * A client that can prepare a job for the caller to store, for example in one step with
 * other data.
 */
public interface PreparingJobClient extends JobClient {

	/**
	 * Do everything that {@link #enqueue(JobRequest)} does, except store the job.
	 * Interceptors see the {@link EnqueueResult} that the job will have if it is stored.
	 * Does not take part in transactions, and does not keep jobs until Redis is available
	 * again.
	 * @param request the request
	 * @param id the id of the new job
	 * @return the job, {@code null} if an interceptor stopped the request
	 */
	@Nullable Prepared prepare(JobRequest request, String id);

	/**
	 * A job that is ready to be stored. The caller may also drop it.
	 *
	 * @param queue the queue that the request and the interceptors have chosen
	 * @param job the job
	 * @param answered receives the answer from Redis
	 */
	record Prepared(String queue, NewJob job, Consumer<Admission> answered) {

	}

}

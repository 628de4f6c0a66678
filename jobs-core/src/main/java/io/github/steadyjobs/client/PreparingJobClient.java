package io.github.steadyjobs.client;

import java.util.function.Consumer;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.redis.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * A client that can leave it to its caller to store a job, in one step with something
 * else.
 */
public interface PreparingJobClient extends JobClient {

	/**
	 * Do all that {@link #enqueue(JobRequest)} does, but for storing the job.
	 * Interceptors see the {@link EnqueueResult} that it has if it is stored. Takes part
	 * in no transaction, and keeps nothing for when Redis is back.
	 * @param request the request
	 * @param id the id that the job gets
	 * @return the job, {@code null} if an interceptor stopped the request
	 */
	@Nullable Prepared prepare(JobRequest request, String id);

	/**
	 * A job that is to be stored. It may also be dropped.
	 *
	 * @param queue the queue that request and interceptors have chosen
	 * @param job the job
	 * @param answered takes the answer of Redis
	 */
	record Prepared(String queue, NewJob job, Consumer<Admission> answered) {

	}

}

package io.github.steadyjobs.client;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.redis.JobStore;
import io.github.steadyjobs.redis.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * A client that can leave it to its caller to store a job, in one step with something
 * else.
 */
public interface PreparingJobClient extends JobClient {

	/**
	 * Do all that {@link #enqueue(JobRequest)} does, but for storing the job. Takes part
	 * in no transaction, and keeps nothing for when Redis is back.
	 * @param request the request
	 * @param id the id that the job gets
	 * @param storage stores the job
	 * @return the result, {@link EnqueueResult.Stopped} if the job was not needed
	 */
	EnqueueResult enqueue(JobRequest request, String id, Storage storage);

	/**
	 * Stores a job.
	 */
	@FunctionalInterface
	interface Storage {

		/**
		 * Store a job.
		 * @param queue the queue that request and interceptors have chosen
		 * @param job the job
		 * @return how it was taken, {@code null} if it was not needed
		 */
		JobStore.@Nullable Taken store(String queue, NewJob job);

	}

}

package io.github.steadyjobs.client;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.QueueRef;

/**
 * The place where a client stores its jobs: Redis, or the memory of a test. Everything
 * that a client does before it stores a job is the same in both cases. Implementations
 * are thread safe.
 */
public interface JobStorage {

	/**
	 * Store many jobs. If the jobs should be replicated, wait for that, but no longer
	 * than the command timeout.
	 * @return the result of each job for which there was an answer, and the failure that
	 * affected the others
	 */
	Push enqueueAll(String queue, List<NewJob> jobs, Durability wanted);

	/**
	 * Store jobs as {@link #enqueueAll} does, for a caller that can wait only a few
	 * seconds and continues later.
	 * @return the result of each answered job, and the calls that were not answered
	 * within 5 seconds or a shorter command timeout. These calls can be sent again.
	 */
	Push enqueueOrKeep(String queue, List<NewJob> jobs, Durability wanted);

	/**
	 * Find a stored job, whatever its state, and convert its payload.
	 * @param reader converts the name of the queue or shard and the payload to the result
	 * @return the result of the reader; empty if no queue has the job
	 * @throws JobStoreException if no queue that answered has the job, and at least one
	 * queue refused the call, is not reachable or did not answer
	 */
	<T> Optional<T> find(String id, BiFunction<String, byte[], T> reader);

	/**
	 * Cancel a job.
	 * @param interrupt whether to interrupt the job if it is running
	 * @return whether there was a job to cancel
	 * @throws JobStoreException if no queue that answered had the job, and at least one
	 * queue refused the call, is not reachable or did not answer
	 */
	boolean cancel(String id, boolean interrupt);

	/**
	 * Return whether any process serves a queue.
	 * @param lane the queue, or {@link QueueRef#allOf all parts} of it; unordered jobs
	 * are never looked for in shards
	 * @return whether a process has joined the queue and, if it has shards, all of its
	 * shards
	 * @throws JobStoreException if Redis is not reachable
	 */
	CompletableFuture<Boolean> isServed(String lane);

}

package io.github.steadyjobs.client;

/**
 * Counts how requests to enqueue jobs end, each once, when that is known: a job of a bulk
 * push when Redis has answered for it, one that waits for a commit when it has been
 * stored after that. Called on the thread that enqueues; must be thread safe and quick.
 * What it throws is logged and changes nothing.
 */
@FunctionalInterface
public interface EnqueueCounter {

	/**
	 * Count a request.
	 * @param job the name of the job
	 * @param queue the queue of the job
	 * @param result {@code enqueued}, {@code scheduled} or {@code duplicate} if Redis has
	 * answered, {@code stopped} if an interceptor did not let it pass, {@code failed} if
	 * it was invalid or Redis did not confirm it
	 */
	void count(String job, String queue, String result);

}

package io.github.steadyjobs.server;

/**
 * Decides whether this process may ask a queue for jobs now, for example only at night,
 * or not while a system that its jobs need is overloaded. A bean; if there are several,
 * all of them must agree.
 * <p>
 * Called before each fetch for each queue that may have jobs. It must be thread safe and
 * quick, and must not wait, because the capsule fetches nothing meanwhile. A refused
 * queue keeps its jobs, and other processes may take them; this process asks the filter
 * again within half a second, or when a job arrives. Jobs that were claimed ahead a
 * moment before still run, and so do suspects, which are fetched separately.
 */
@FunctionalInterface
public interface FetchFilter {

	/**
	 * Decide about a queue.
	 * @param capsule the name of the capsule that would run the jobs
	 * @param queue the name of the queue
	 * @return whether it may be asked for jobs
	 */
	boolean mayFetch(String capsule, String queue);

}

package io.github.steadyjobs.server;

/**
 * Decides whether this process may ask a queue for jobs now, for example only at night,
 * or not while a system is overloaded that its jobs need. A bean; if there are several,
 * all of them have to agree.
 * <p>
 * Called before each fetch for each queue that may have jobs. It must be thread safe and
 * quick, and must not wait, because the capsule fetches nothing meanwhile. A queue that
 * is refused keeps its jobs, and other processes may take them; this one asks the filter
 * again within half a second, or when a job comes. Jobs that were claimed ahead a moment
 * before still run, and so do suspects, which are fetched by themselves.
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

package io.github.steadyjobs.server;

/**
 * Decides whether this process may ask a queue for jobs now. For example, a filter can
 * allow a queue only at night, or refuse a queue while a system that the jobs need is
 * overloaded. Define the filter as a bean. If there are several filters, all of them must
 * allow the fetch.
 * <p>
 * Called before each fetch, for each queue that may have jobs. Implementations must be
 * thread safe, and must be quick and non-blocking, because the capsule fetches nothing
 * during the call. The jobs of a refused queue stay in the queue, and other processes may
 * claim them. This process asks the filter again within half a second, or earlier if a
 * job arrives. Jobs that were claimed ahead before the refusal still run; so do suspects
 * (jobs that may have killed processes), which are fetched separately.
 */
@FunctionalInterface
public interface FetchFilter {

	/**
	 * Decide whether a queue may be asked for jobs now.
	 * @param capsule the name of the capsule that would run the jobs
	 * @param queue the name of the queue
	 * @return whether the queue may be asked for jobs
	 */
	boolean mayFetch(String capsule, String queue);

}

package io.github.steadyjobs.server;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Chooses the queue that the next job of a capsule comes from, instead of one of the
 * built-in orders. A bean that a capsule names:
 * {@code steadyjobs.capsules.<capsule>.order=<bean>}.
 * <p>
 * Called once for each job that there is room for, before Redis is asked. If several
 * capsules share one, it must be thread safe. It only decides where to look for jobs
 * first: room that a queue leaves goes to the others, and the selector is asked about
 * those next. It must be quick and must not wait, because the capsule fetches nothing
 * meanwhile.
 */
@FunctionalInterface
public interface QueueSelector {

	/**
	 * Choose a queue.
	 * @param capsule the name of the capsule
	 * @param queues the queues that may have jobs, at least one, in the order in which
	 * the capsule lists them. An ordered queue is one queue here, however many shards it
	 * has
	 * @return one of them, or {@code null} to take no job now. The selector is asked
	 * again within half a second, or when a job arrives
	 */
	@Nullable String next(String capsule, List<String> queues);

}

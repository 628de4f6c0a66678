package io.github.steadyjobs.server;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Chooses the queue from which the next job of a capsule comes, in place of a built-in
 * order. Implement the selector as a bean, and name the bean in the settings of a
 * capsule: {@code steadyjobs.capsules.<capsule>.order=<bean>}.
 * <p>
 * Called once for each job for which there is room, before Redis is asked. The selector
 * must be thread safe if several capsules share it. The selector only decides where to
 * look for jobs first: if a queue does not use its room, the selector is asked again to
 * choose among the other queues. The selector must be quick and must not block, because
 * the capsule fetches nothing during the call.
 */
@FunctionalInterface
public interface QueueSelector {

	/**
	 * Choose a queue.
	 * @param capsule the name of the capsule
	 * @param queues the queues that may have jobs, at least one, in the order in which
	 * the capsule lists them. An ordered queue counts as one queue, however many shards
	 * it has
	 * @return one of these queues, or {@code null} to take no job now; the selector is
	 * then asked again within half a second, or when a job arrives
	 */
	@Nullable String next(String capsule, List<String> queues);

}

package io.github.steadyjobs.ordered;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import org.springframework.util.Assert;

/**
 * Decides which shards of ordered jobs this process serves. Usually each process serves
 * all of them, because any free worker may take any key. Splitting them up keeps the keys
 * of a shard on one node, for example because the node caches data for them. Then the
 * shards of a node wait while that node is down.
 */
@FunctionalInterface
public interface ShardSplitter {

	/**
	 * Decide, at each start of the workers.
	 * @param shards the number of shards of each queue of ordered jobs that this process
	 * serves, in the order of the names of the queues
	 * @return the numbers of the shards to serve, by queue; a queue that is missing is
	 * not served
	 */
	Map<String, List<Integer>> split(SortedMap<String, Integer> shards);

	/**
	 * Deal out all shards of all queues to nodes in turn. All nodes must have the same
	 * queues.
	 * @param nodes how many nodes there are
	 * @param node the number of this node, from 0
	 * @throws IllegalArgumentException if there is no such node
	 */
	static ShardSplitter byNode(int nodes, int node) {
		Assert.isTrue(node >= 0 && node < nodes, () -> "'node' must be 0 to %d, but is %d".formatted(nodes - 1, node));
		return (shards) -> {
			Map<String, List<Integer>> own = new TreeMap<>();
			int dealt = 0;
			for (Map.Entry<String, Integer> queue : shards.entrySet()) {
				for (int shard = 0; shard < queue.getValue(); shard++) {
					if (dealt++ % nodes == node) {
						own.computeIfAbsent(queue.getKey(), (name) -> new ArrayList<>()).add(shard);
					}
				}
			}
			return own;
		};
	}

}

package io.github.steadyjobs.ordered;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import org.springframework.util.Assert;

/**
 * Decides which shards of ordered jobs this process serves. Usually each process serves
 * all shards, because any free worker can take any key. If shards are split among nodes,
 * all keys of a shard run on one node, which can then cache data for these keys. The
 * drawback is that the shards of a node wait while that node is down.
 */
@FunctionalInterface
public interface ShardSplitter {

	/**
	 * Decide which shards to serve. Called whenever the workers start.
	 * @param shards the number of shards of each queue of ordered jobs that this process
	 * serves, sorted by the name of the queue
	 * @return the numbers of the shards to serve, starting at 0, by queue; a queue that
	 * is missing is not served
	 */
	Map<String, List<Integer>> split(SortedMap<String, Integer> shards);

	/**
	 * Distribute the shards of all queues among the nodes in turn. All nodes must serve
	 * the same queues.
	 * @param nodes the number of nodes
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

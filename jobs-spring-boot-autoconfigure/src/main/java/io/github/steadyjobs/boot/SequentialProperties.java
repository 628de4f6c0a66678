package io.github.steadyjobs.boot;

import io.github.steadyjobs.ordered.ShardSplitter;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

import static io.github.steadyjobs.boot.JobsPropertyException.throwUnless;

/**
 * Settings for ordered jobs.
 *
 * @param order Order in which the shards of a queue are served: first the shard whose
 * oldest job has waited longest, or each shard in turn.
 * @param nodes Number of nodes among which the shards are split. If not set, each node
 * serves all shards.
 * @param node Number of this node, starting from 0.
 * @param limit Maximum number of payloads that wait for a key. Further payloads are
 * refused.
 */
record SequentialProperties(@DefaultValue("lag") Order order, @Nullable Integer nodes, @Nullable Integer node,
		@DefaultValue("100000") int limit) {

	SequentialProperties {
		String setNode = "Set it to the number of this node, from 0, because 'steadyjobs.sequential.nodes' is '%s'."
			.formatted(nodes);
		throwUnless(limit > 0, "steadyjobs.sequential.limit", limit,
				"Set it to 1 or more, the maximum number of payloads that wait for a key.");
		throwUnless(nodes == null || nodes > 0, "steadyjobs.sequential.nodes", nodes,
				"Set it to 1 or more, the number of nodes that the shards are split among.");
		throwUnless(nodes == null || node != null, "steadyjobs.sequential.node", node, setNode);
		throwUnless(nodes != null || node == null, "steadyjobs.sequential.nodes", nodes,
				"Set it to the number of nodes that the shards are split among, or remove 'steadyjobs.sequential.node'.");
		throwUnless(nodes == null || node == null || (node >= 0 && node < nodes), "steadyjobs.sequential.node", node,
				setNode);
	}

	ShardSplitter splitter() {
		return (this.nodes != null && this.node != null) ? ShardSplitter.byNode(this.nodes, this.node)
				: ShardSplitter.byNode(1, 0);
	}

	/**
	 * The order in which the shards of a queue are served.
	 */
	enum Order {

		/**
		 * The shard whose oldest job has waited longest comes first.
		 */
		LAG,

		/**
		 * Each shard is served in turn.
		 */
		ROUND_ROBIN

	}

}

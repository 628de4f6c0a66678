package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import org.jspecify.annotations.Nullable;

/**
 * The connections for pushes that are to be replicated. Thread safe.
 * <p>
 * In a cluster each node has its own, made by a client for single servers: the client for
 * clusters sends a command without a key, such as WAIT, to any node, and what it could
 * not send to one node to another.
 */
final class ReplicaLines implements AutoCloseable {

	private static final String SINGLE = "";

	private final Map<String, ReplicaLine> lines = new ConcurrentHashMap<>();

	private final UntracedClient untraced;

	private final Supplier<@Nullable Object> client;

	private final Supplier<String> address;

	private final Duration commandTimeout;

	private @Nullable RedisClusterClient cluster;

	private @Nullable RedisClient nodes;

	ReplicaLines(UntracedClient untraced, Supplier<@Nullable Object> client, Supplier<String> address,
			Duration commandTimeout) {
		this.untraced = untraced;
		this.client = client;
		this.address = address;
		this.commandTimeout = commandTimeout;
	}

	ReplicaLine single(Supplier<StatefulConnection<byte[], byte[]>> opener) {
		return line(SINGLE, opener);
	}

	/**
	 * Return the line to the node that has a key.
	 */
	ReplicaLine ofNode(byte[] key) {
		RedisURI node = node(key);
		return line(node.getHost() + ":" + node.getPort(), () -> connect(node));
	}

	private ReplicaLine line(String server, Supplier<StatefulConnection<byte[], byte[]>> opener) {
		ReplicaLine line = this.lines.get(server);
		return (line != null) ? line : this.lines.computeIfAbsent(server, (name) -> new ReplicaLine(opener, this.client,
				name.equals(SINGLE) ? this.address : () -> name, this.commandTimeout));
	}

	private RedisURI node(byte[] key) {
		try {
			int slot = SlotHash.getSlot(key);
			RedisClusterNode node = ((RedisClusterClient) this.untraced.client()).getPartitions().getMasterBySlot(slot);
			if (node == null) {
				nodesChanged();
				throw RedisErrors.unavailable(this.address.get(),
						new IllegalStateException("no node of the cluster has slot " + slot));
			}
			return node.getUri();
		}
		catch (RedisException | IllegalStateException ex) {
			throw RedisErrors.unavailable(this.address.get(), ex);
		}
	}

	void nodesChanged() {
		if (this.client.get() != null && this.untraced.client() instanceof RedisClusterClient present) {
			present.refreshPartitionsAsync();
		}
	}

	private StatefulConnection<byte[], byte[]> connect(RedisURI node) {
		return nodes((RedisClusterClient) this.untraced.client()).connect(ByteArrayCodec.INSTANCE, node);
	}

	private synchronized RedisClient nodes(RedisClusterClient present) {
		if (this.nodes == null || this.cluster != present) {
			closeNodes();
			this.nodes = RedisClient.create(present.getResources());
			this.nodes.setOptions(present.getOptions());
			this.cluster = present;
		}
		return this.nodes;
	}

	private synchronized void closeNodes() {
		AbstractRedisClient former = this.nodes;
		if (former != null) {
			this.nodes = null;
			former.shutdownAsync();
		}
	}

	@Override
	public void close() {
		this.lines.values().forEach(ReplicaLine::close);
		closeNodes();
	}

}

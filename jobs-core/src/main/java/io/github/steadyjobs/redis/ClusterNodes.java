package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.ClusterPartitionParser;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import io.lettuce.core.internal.HostAndPort;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

/**
 * Knows which node of a cluster serves which slots. Asks again whenever a call or a
 * connection fails, regardless of the application's settings, but at most once a second.
 * Thread safe.
 * <p>
 * Only one node is asked, on a connection that is closed afterwards. Lettuce would ask
 * all nodes, wait for a frozen node for as long as the command timeout, and log a warning
 * each time.
 */
final class ClusterNodes {

	private static final Duration APART = Duration.ofSeconds(1);

	/** How long a node may take to answer before the next node is asked. */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final OwnClient client;

	private volatile @Nullable Partitions known;

	private @Nullable CompletableFuture<Partitions> asking;

	private long asked = System.nanoTime();

	private boolean again;

	ClusterNodes(OwnClient client) {
		this.client = client;
	}

	/** Return the known state. If no state is known yet, the state is requested first. */
	CompletableFuture<Partitions> known() {
		Partitions known = this.known;
		return (known != null) ? CompletableFuture.completedFuture(known) : refresh();
	}

	/**
	 * Ask for the current state. If a request is under way, or was made within the last
	 * second, return the result of that request, and ask again within a second.
	 */
	CompletableFuture<Partitions> refresh() {
		CompletableFuture<Partitions> asking = new CompletableFuture<>();
		synchronized (this) {
			long passed = System.nanoTime() - this.asked;
			if (this.asking != null && (!this.asking.isDone() || passed < APART.toNanos())) {
				refreshAfter((passed < APART.toNanos()) ? APART.toNanos() - passed : APART.toNanos());
				return this.asking;
			}
			this.asking = asking;
			this.asked += passed;
		}
		ask().whenComplete((view, error) -> {
			if (error == null) {
				this.known = view;
				asking.complete(view);
			}
			else {
				asking.completeExceptionally(RedisErrors.unwrap(error));
			}
		});
		return asking;
	}

	/**
	 * Ask again later: the reason to ask may have arisen after the last request was sent.
	 */
	private void refreshAfter(long nanos) {
		if (!this.again) {
			this.again = true;
			CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Runnable::run).execute(() -> {
				synchronized (this) {
					this.again = false;
				}
				if (this.known != null) {
					refresh();
				}
			});
		}
	}

	/** Forget the known state. It is requested again when it is needed. */
	synchronized void forget() {
		this.known = null;
		this.asking = null;
	}

	private CompletableFuture<Partitions> ask() {
		try {
			return ask(candidates().iterator());
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Return the nodes to ask. The nodes are shuffled so that a node with an outdated
	 * view is not asked again and again. Configured addresses come last. Nodes that are
	 * known to have failed are left out.
	 */
	private List<RedisURI> candidates() {
		List<RedisURI> candidates = new ArrayList<>();
		Partitions known = this.known;
		if (known != null) {
			List<RedisClusterNode> nodes = new ArrayList<>(known.getPartitions());
			Collections.shuffle(nodes);
			nodes.removeIf((node) -> node.is(NodeFlag.FAIL));
			nodes.forEach((node) -> candidates.add(node.getUri()));
		}
		List<RedisURI> configured = new ArrayList<>(this.client.addresses());
		Collections.shuffle(configured);
		candidates.addAll(configured);
		return candidates;
	}

	private CompletableFuture<Partitions> ask(Iterator<RedisURI> candidates) {
		RedisURI candidate = candidates.next();
		return this.client.connectTo(candidate)
			.thenCompose(
					(connection) -> view(connection, candidate).whenComplete((view, error) -> connection.closeAsync()))
			.orTimeout(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)
			.exceptionallyCompose(
					(error) -> candidates.hasNext() ? ask(candidates) : CompletableFuture.failedFuture(error));
	}

	private static CompletableFuture<Partitions> view(StatefulConnection<byte[], byte[]> connection, RedisURI asked) {
		CommandBytes nodes = new CommandBytes(CommandType.CLUSTER).add("NODES");
		return Sent.ask(connection, nodes, PATIENCE).thenApply((answer) -> {
			Partitions view = ClusterPartitionParser.parse(Answers.utf8(answer.get(0)));
			for (RedisClusterNode node : view.getPartitions()) {
				if (node.getUri() == null && node.is(NodeFlag.MYSELF)) {
					// The node does not know its own address yet.
					node.setUri(asked);
				}
			}
			view.getPartitions().removeIf((node) -> node.getUri() == null || node.is(NodeFlag.NOADDR));
			view.updateCache();
			return view;
		});
	}

	/** Return the node that serves a key; {@code null} if no node serves it. */
	@Nullable RedisURI serving(byte[] key, Partitions view) {
		RedisClusterNode node = view.getMasterBySlot(SlotHash.getSlot(key));
		return (node != null) ? node.getUri() : null;
	}

	/** Return the primary nodes that serve at least one slot. */
	CompletableFuture<List<RedisURI>> masters() {
		return known().thenApply((view) -> view.stream()
			.filter((node) -> node.is(NodeFlag.UPSTREAM) && !node.hasNoSlots())
			.map(RedisClusterNode::getUri)
			.toList());
	}

	/** Return the node at an address that another node has reported. */
	RedisURI at(String address) {
		HostAndPort parsed = HostAndPort.parseCompat(address);
		// An address without a host has the host of the node that sent it, which is
		// assumed to be the first configured host.
		String host = parsed.getHostText().isEmpty() ? this.client.addresses().get(0).getHost() : parsed.getHostText();
		return RedisURI.create(host, parsed.getPort());
	}

}

package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.models.partitions.Partitions;
import org.jspecify.annotations.Nullable;

/**
 * The connections for one kind of traffic: one connection to the server or, in a cluster,
 * one connection to each node that is used. Problems with one node do not affect other
 * nodes. Thread safe.
 */
final class NodeConnections {

	private static final Duration AT_MOST = Duration.ofSeconds(5);

	private final @Nullable ClusterNodes nodes;

	private final Supplier<String> address;

	private final Function<@Nullable RedisURI, HeldConnection> maker;

	private final Map<String, HeldConnection> held = new ConcurrentHashMap<>();

	private volatile @Nullable Partitions view;

	/**
	 * Create the connections. No connection is opened yet.
	 * @param nodes the nodes of the cluster; {@code null} for a single server
	 * @param address the address of the server or the cluster, for messages
	 * @param maker creates a connection to a node, or to the single server if the node is
	 * {@code null}
	 */
	NodeConnections(@Nullable ClusterNodes nodes, Supplier<String> address,
			Function<@Nullable RedisURI, HeldConnection> maker) {
		this.nodes = nodes;
		this.address = address;
		this.maker = maker;
	}

	/**
	 * Return how long one copy of a call may be under way before the call is sent again.
	 * The time is limited in a cluster, because another node may have taken over.
	 */
	Duration ofOneCopy(Duration timeout) {
		return (this.nodes == null || timeout.compareTo(AT_MOST) < 0) ? timeout : AT_MOST;
	}

	String address() {
		return this.address.get();
	}

	/** Return the connection to the single server; {@code null} in a cluster. */
	@Nullable HeldConnection only() {
		return (this.nodes == null) ? to(null) : null;
	}

	/**
	 * Return a function that returns the connection to the node that serves a key, or
	 * {@code null} if no node serves it.
	 */
	CompletableFuture<Function<byte[], @Nullable HeldConnection>> finder() {
		ClusterNodes nodes = this.nodes;
		if (nodes == null) {
			return CompletableFuture.completedFuture((key) -> to(null));
		}
		return nodes.known().thenApply((view) -> {
			prune(view);
			return (key) -> {
				RedisURI node = nodes.serving(key, view);
				return (node != null) ? to(node) : null;
			};
		});
	}

	static IllegalStateException nobodyServes() {
		return new IllegalStateException("no node of the cluster serves the queue");
	}

	/** Return the connection to a node whose address another node has reported. */
	HeldConnection named(String address) {
		return to((this.nodes != null) ? this.nodes.at(address) : null);
	}

	/**
	 * Find out again which node serves which slots, because the assignment may have
	 * changed.
	 * @return a future that completes when the nodes are known again
	 */
	CompletableFuture<?> changed() {
		return (this.nodes != null) ? this.nodes.refresh() : CompletableFuture.completedFuture(null);
	}

	/** Return the connection to the node that serves a key. */
	CompletableFuture<HeldConnection> serving(byte[] key) {
		return orUnavailable(finder().thenApply((finder) -> {
			HeldConnection found = finder.apply(key);
			if (found == null) {
				changed();
				throw nobodyServes();
			}
			return found;
		}));
	}

	/**
	 * Return the connections to all nodes that hold keys.
	 * @return the connections by the name of their node, which is empty for a single
	 * server
	 */
	CompletableFuture<Map<String, HeldConnection>> all() {
		if (this.nodes == null) {
			return CompletableFuture.completedFuture(Map.of("", to(null)));
		}
		return orUnavailable(this.nodes.masters().thenApply((masters) -> {
			Map<String, HeldConnection> all = new LinkedHashMap<>();
			masters.forEach((master) -> all.put(name(master), to(master)));
			return all;
		}));
	}

	private <T> CompletableFuture<T> orUnavailable(CompletableFuture<T> found) {
		return found.exceptionally((error) -> {
			throw RedisErrors.notOpened(this.address.get(), error);
		});
	}

	private HeldConnection to(@Nullable RedisURI node) {
		String name = (node != null) ? name(node) : "";
		HeldConnection found = this.held.get(name);
		return (found != null) ? found : this.held.computeIfAbsent(name, (key) -> this.maker.apply(node));
	}

	private static String name(RedisURI node) {
		return node.getHost() + ":" + node.getPort();
	}

	/** Close the connections to nodes that have left the cluster. */
	private void prune(Partitions view) {
		if (this.view != view) {
			this.view = view;
			this.held.entrySet().removeIf((entry) -> {
				boolean left = view.stream().noneMatch((node) -> entry.getKey().equals(name(node.getUri())));
				if (left) {
					entry.getValue().close();
				}
				return left;
			});
		}
	}

	List<CompletableFuture<?>> close() {
		List<CompletableFuture<?>> closing = new ArrayList<>();
		this.held.values().forEach((connection) -> closing.add(connection.close()));
		return closing;
	}

}

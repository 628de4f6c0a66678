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
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one kind of traffic: one to the server or, in a cluster, one to each
 * node that is asked for something. Trouble with one node stays there. Thread safe.
 */
final class NodeConnections {

	private static final Duration AT_MOST = Duration.ofSeconds(5);

	private final @Nullable ClusterNodes nodes;

	private final Supplier<String> address;

	private final Function<@Nullable RedisURI, HeldConnection> maker;

	private final Map<String, HeldConnection> held = new ConcurrentHashMap<>();

	private volatile @Nullable Partitions view;

	/**
	 * Create the connections. Nothing is opened yet.
	 * @param nodes the nodes of the cluster, {@code null} if there is none
	 * @param address where the server or the cluster is, for people
	 * @param maker makes a connection to a node; without one, to the only server
	 */
	NodeConnections(@Nullable ClusterNodes nodes, Supplier<String> address,
			Function<@Nullable RedisURI, HeldConnection> maker) {
		this.nodes = nodes;
		this.address = address;
		this.maker = maker;
	}

	/**
	 * Return how long one copy of a call may be under way before it is sent again. In a
	 * cluster another node may have taken over meanwhile.
	 */
	Duration ofOneCopy(Duration timeout) {
		return (this.nodes == null || timeout.compareTo(AT_MOST) < 0) ? timeout : AT_MOST;
	}

	void send(RedisCall call) {
		if (this.nodes == null) {
			to(null).send(call);
		}
		else {
			send(List.of(call));
		}
	}

	/**
	 * Send calls to where their keys are, in one flush a node.
	 */
	void send(List<RedisCall> calls) {
		if (this.nodes == null) {
			to(null).send(calls);
			return;
		}
		this.nodes.known().whenComplete((view, error) -> RedisCall.attempt(calls, () -> {
			if (error != null) {
				calls.forEach((call) -> call.notSent(this.address.get(), error));
				return;
			}
			prune(view);
			send(calls, view, this.nodes);
		}));
	}

	private void send(List<RedisCall> calls, Partitions view, ClusterNodes nodes) {
		Map<HeldConnection, List<RedisCall>> byNode = new LinkedHashMap<>();
		for (RedisCall call : calls) {
			RedisURI node = nodes.serving(call.key(), view);
			if (node == null) {
				call.notSent(this.address.get(), nobodyServes());
			}
			else {
				byNode.computeIfAbsent(to(node), (to) -> new ArrayList<>()).add(call);
			}
		}
		byNode.forEach(HeldConnection::send);
	}

	static IllegalStateException nobodyServes() {
		return new IllegalStateException("no node of the cluster serves the queue");
	}

	/**
	 * Send a call again after looking which node serves it now.
	 */
	void relocate(RedisCall call, String address, Throwable error) {
		if (this.nodes == null) {
			call.notSent(address, error);
			return;
		}
		this.nodes.refresh().whenComplete((view, failure) -> send(call));
	}

	/**
	 * Send a call to the node that another one has named.
	 * @param answer that of the other one
	 */
	void redirect(RedisCall call, String answer) {
		String[] words = answer.split(" ");
		HeldConnection other = to((this.nodes != null) ? this.nodes.at(words[2]) : null);
		if (words[0].equals("MOVED")) {
			changed();
			other.send(call);
			return;
		}
		other.connection().whenComplete((connection, error) -> RedisCall.attempt(List.of(call), () -> {
			if (error != null) {
				call.notSent(other.address(), error);
				return;
			}
			Sent asking = Sent.of(new CommandBytes(CommandType.ASKING), HeldConnection.PATIENCE, (reply, failure) -> {
			});
			Sent.dispatch(connection, List.of(asking, call.copy(other, connection)));
		}));
	}

	/**
	 * Look again which node serves what, as things may have changed. Does not wait.
	 */
	void changed() {
		if (this.nodes != null) {
			this.nodes.refresh();
		}
	}

	/**
	 * Return the connection to where a key is.
	 */
	CompletableFuture<HeldConnection> serving(byte[] key) {
		if (this.nodes == null) {
			return CompletableFuture.completedFuture(to(null));
		}
		ClusterNodes nodes = this.nodes;
		return orUnavailable(nodes.known().thenApply((view) -> {
			RedisURI node = nodes.serving(key, view);
			if (node == null) {
				nodes.refresh();
				throw nobodyServes();
			}
			return to(node);
		}));
	}

	/**
	 * Return the connections to all that hold keys.
	 * @return names of nodes, an empty one for the only server, with their connections
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

	/**
	 * Close what leads to nodes that have left the cluster.
	 */
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

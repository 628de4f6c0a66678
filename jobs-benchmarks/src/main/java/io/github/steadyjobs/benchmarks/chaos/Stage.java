package io.github.steadyjobs.benchmarks.chaos;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import org.jspecify.annotations.Nullable;

/**
 * The server or the cluster, with the relays in front of it: one set of relays for each
 * worker, followed by one set for the producer.
 */
final class Stage implements AutoCloseable {

	private final @Nullable EmbeddedRedisServer server;

	private final @Nullable ClusterServers cluster;

	private final List<URI> redis;

	private final List<Relays> relays = new ArrayList<>();

	private @Nullable Runnable onRestart;

	private Stage(@Nullable EmbeddedRedisServer server, @Nullable ClusterServers cluster, List<URI> redis) {
		this.server = server;
		this.cluster = cluster;
		this.redis = redis;
	}

	static Stage build(ChaosOptions options) throws IOException {
		Stage stage = servers(options);
		for (int i = 0; i <= options.fleet().workers(); i++) {
			stage.relays.add(Relays.to(stage.redis));
		}
		return stage;
	}

	private static Stage servers(ChaosOptions options) {
		if (options.isCluster()) {
			ClusterServers cluster = ClusterServers.start();
			return new Stage(null, cluster, cluster.addresses());
		}
		if (options.isEmbedded()) {
			// Changes are written to disk before they are confirmed, so that a kill loses
			// nothing.
			EmbeddedRedisServer server = EmbeddedRedisServer.builder()
				.arguments("--appendonly", "yes", "--appendfsync", "always", "--auto-aof-rewrite-percentage", "0")
				.start();
			return new Stage(server, null, List.of(server.uri()));
		}
		return new Stage(null, null, List.of(URI.create(options.redis())));
	}

	/**
	 * Return the addresses of the servers.
	 */
	List<URI> servers() {
		return this.redis;
	}

	/**
	 * Return the address of Redis without a relay, in the form that
	 * {@link ChaosApplication#connectionTo} expects.
	 */
	String redis() {
		if (this.cluster == null) {
			return this.redis.get(0).toString();
		}
		return ChaosApplication.CLUSTER + this.redis.stream()
			.map((node) -> node.getPort() + ":" + node.getPort())
			.collect(Collectors.joining(","));
	}

	/**
	 * Return the relays of a worker.
	 * @param slot slot number of the worker, or the number of workers for the relays of
	 * the producer
	 */
	Relays relays(int slot) {
		return this.relays.get(slot);
	}

	Relays producerRelays() {
		return this.relays.get(this.relays.size() - 1);
	}

	/**
	 * Delay each reply through any relay.
	 * @param millis milliseconds to add to the current delay
	 */
	void delayReplies(int millis) {
		this.relays.forEach((relays) -> relays.delayReplies(millis));
	}

	List<InetSocketAddress> addresses() {
		return this.relays.stream().flatMap((relays) -> relays.addresses().stream()).toList();
	}

	/**
	 * Register an action that is run after each restart of the server, before a process
	 * can reach the server through a relay.
	 */
	void onRestart(Runnable action) {
		this.onRestart = action;
	}

	/**
	 * Kill the server, if this object has started it and it is running.
	 * @return whether the server was running
	 */
	synchronized boolean killServer() {
		boolean running = this.server != null && this.server.isRunning();
		if (this.server != null && running) {
			if (this.onRestart != null) {
				this.relays.forEach((relays) -> relays.disturb(Cut.REFUSE));
			}
			this.server.kill();
		}
		return running;
	}

	synchronized void restartServer() {
		if (this.server != null) {
			this.server.restart();
			if (this.onRestart != null) {
				this.onRestart.run();
				this.relays.forEach(Relays::heal);
			}
		}
	}

	/**
	 * Kill the cluster master that serves a queue.
	 * @return a task that waits for another node to take over, and then starts the killed
	 * server again as a replica; {@code null} if no server was killed
	 */
	@Nullable Runnable killMasterOf(String queue) {
		ClusterServers cluster = this.cluster;
		EmbeddedRedisServer killed = (cluster != null) ? cluster.killMasterOf(queue) : null;
		if (cluster == null || killed == null) {
			return null;
		}
		return () -> {
			cluster.awaitMasterOf(queue);
			cluster.restart(killed);
		};
	}

	/**
	 * Kill a server that this object has started, and start it again with the data that
	 * it had some time earlier.
	 * @param queue a queue that it serves
	 * @param millis how much earlier, in milliseconds
	 * @return the period whose data was lost, {@code null} if the server is not running
	 */
	synchronized WrittenData.@Nullable Loss bringBackOlderData(String queue, long millis) {
		if (this.cluster != null) {
			return this.cluster.bringBackOlderData(queue, millis);
		}
		EmbeddedRedisServer running = this.server;
		if (running == null || !running.isRunning()) {
			return null;
		}
		return WrittenData.lose(running, millis, this::killServer, this::restartServer);
	}

	@Override
	public void close() {
		this.relays.forEach(Relays::close);
		if (this.server != null) {
			this.server.close();
		}
		if (this.cluster != null) {
			this.cluster.close();
		}
	}

}

package io.github.steadyjobs.benchmarks.chaos;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import org.jspecify.annotations.Nullable;

/**
 * The server and the relays in front of it, one for each worker and, at the end, one for
 * the producer.
 */
final class Stage implements AutoCloseable {

	private final @Nullable EmbeddedRedisServer server;

	private final URI redis;

	private final List<Relay> relays = new ArrayList<>();

	private Stage(@Nullable EmbeddedRedisServer server, URI redis) {
		this.server = server;
		this.redis = redis;
	}

	static Stage build(ChaosOptions options) throws IOException {
		EmbeddedRedisServer server = null;
		if (options.isEmbedded()) {
			// Written down before it answers, so that a kill loses nothing.
			server = EmbeddedRedisServer.builder().arguments("--appendonly", "yes", "--appendfsync", "always").start();
		}
		Stage stage = new Stage(server, (server != null) ? server.uri() : URI.create(options.redis()));
		for (int i = 0; i <= options.fleet().workers(); i++) {
			stage.relays.add(Relay.to(stage.redis));
		}
		return stage;
	}

	URI redis() {
		return this.redis;
	}

	/**
	 * Return the relay of a worker, or, for the number of workers, that of the producer.
	 */
	Relay relay(int slot) {
		return this.relays.get(slot);
	}

	Relay producerRelay() {
		return this.relays.get(this.relays.size() - 1);
	}

	List<InetSocketAddress> addresses() {
		return this.relays.stream().flatMap((relay) -> relay.addresses().stream()).toList();
	}

	/**
	 * Kill the server that was started here.
	 * @return whether it ran
	 */
	boolean killServer() {
		boolean running = this.server != null && this.server.isRunning();
		if (this.server != null && running) {
			this.server.kill();
		}
		return running;
	}

	void restartServer() {
		if (this.server != null) {
			this.server.restart();
		}
	}

	@Override
	public void close() {
		for (Relay relay : this.relays) {
			relay.close();
		}
		if (this.server != null) {
			this.server.close();
		}
	}

}

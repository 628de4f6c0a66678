package io.github.steadyjobs.benchmarks.chaos;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * All relays between one process and Redis: one relay for a single server, or one for
 * each node of a cluster.
 */
final class Relays implements AutoCloseable {

	private final List<Relay> relays = new ArrayList<>();

	/**
	 * Start relays for servers.
	 */
	static Relays to(List<URI> servers) throws IOException {
		Relays relays = new Relays();
		for (URI server : servers) {
			relays.relays.add(Relay.to(server));
		}
		return relays;
	}

	/**
	 * Return the address at which these relays make Redis available, in the form that
	 * {@link ChaosApplication#connectionTo} expects.
	 */
	String redis() {
		if (this.relays.size() == 1) {
			return this.relays.get(0).url();
		}
		return ChaosApplication.CLUSTER + this.relays.stream()
			.map((relay) -> relay.serverPort() + ":" + relay.port())
			.collect(Collectors.joining(","));
	}

	void disturb(Cut cut) {
		this.relays.forEach((relay) -> relay.disturb(cut));
	}

	void heal() {
		this.relays.forEach(Relay::heal);
	}

	void delayReplies(int millis) {
		this.relays.forEach((relay) -> relay.delayReplies(millis));
	}

	/**
	 * Return the client addresses of the process's connections, as seen by the servers.
	 */
	List<InetSocketAddress> addresses() {
		return this.relays.stream().flatMap((relay) -> relay.addresses().stream()).toList();
	}

	@Override
	public void close() {
		this.relays.forEach(Relay::close);
	}

}

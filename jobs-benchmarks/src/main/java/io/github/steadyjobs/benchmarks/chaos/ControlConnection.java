package io.github.steadyjobs.benchmarks.chaos;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;

/**
 * Sends commands to the servers without going through the relays.
 */
final class ControlConnection implements AutoCloseable {

	private final RedisClient client = RedisClient.create();

	private final List<URI> servers;

	ControlConnection(List<URI> servers) {
		this.servers = servers;
	}

	void flushScripts() {
		onEach(RedisCommands::scriptFlush);
	}

	/**
	 * Make the servers close the connections of certain clients. Other programs that use
	 * the same servers are not affected.
	 * @param addresses the addresses of the clients, as seen by the servers
	 * @return the number of addresses
	 */
	int killClients(List<InetSocketAddress> addresses) {
		onEach((commands) -> addresses.forEach((address) -> killClient(commands, address)));
		return addresses.size();
	}

	private static void killClient(RedisCommands<String, String> commands, InetSocketAddress address) {
		try {
			commands.clientKill(address.getAddress().getHostAddress() + ":" + address.getPort());
		}
		catch (RedisException ex) {
			// The connection is already closed, or it belongs to another node.
		}
	}

	private void onEach(Consumer<RedisCommands<String, String>> command) {
		for (URI server : this.servers) {
			try (StatefulRedisConnection<String, String> connection = this.client.connect(RedisURI.create(server))) {
				command.accept(connection.sync());
			}
			catch (RedisException ex) {
				// The server is unavailable.
			}
		}
	}

	@Override
	public void close() {
		this.client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
	}

}

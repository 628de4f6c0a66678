package io.github.steadyjobs.benchmarks.chaos;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * What is said to the server without a relay between.
 */
final class ControlConnection {

	private final RedisConnectionFactory factory;

	ControlConnection(RedisConnectionFactory factory) {
		this.factory = factory;
	}

	void flushScripts() {
		attempt((connection) -> connection.scriptingCommands().scriptFlush());
	}

	/**
	 * Make the server close connections. Those of others, whom it may serve as well, are
	 * not touched.
	 * @param addresses the addresses of the clients, as the server knows them
	 * @return how many there were
	 */
	int killClients(List<InetSocketAddress> addresses) {
		for (InetSocketAddress address : addresses) {
			attempt((connection) -> connection.serverCommands()
				.killClient(address.getAddress().getHostAddress(), address.getPort()));
		}
		return addresses.size();
	}

	private void attempt(Consumer<RedisConnection> command) {
		try (RedisConnection connection = this.factory.getConnection()) {
			command.accept(connection);
		}
		catch (RuntimeException ex) {
			// The server is away, or the connection to be closed has gone already.
		}
	}

}

package io.github.steadyjobs.benchmarks.chaos;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.BooleanSupplier;

/**
 * A connection that a {@link Relay} forwards, with one thread for each direction.
 */
final class RelayedConnection {

	private final Socket client;

	private final Socket server;

	private final Relay relay;

	RelayedConnection(Socket client, Socket server, Relay relay) throws IOException {
		this.client = client;
		this.server = server;
		this.relay = relay;
		client.setTcpNoDelay(true);
		server.setTcpNoDelay(true);
	}

	void open() {
		Relay.thread("relay-requests", () -> pump(this.client, this.server, this.relay::passesRequests));
		Relay.thread("relay-replies", () -> pump(this.server, this.client, this.relay::passesReplies));
	}

	InetSocketAddress address() {
		return (InetSocketAddress) this.server.getLocalSocketAddress();
	}

	private void pump(Socket from, Socket to, BooleanSupplier passing) {
		byte[] buffer = new byte[1 << 16];
		try {
			for (int length = from.getInputStream().read(buffer); length >= 0; length = from.getInputStream()
				.read(buffer)) {
				if (passing.getAsBoolean()) {
					to.getOutputStream().write(buffer, 0, length);
				}
			}
		}
		catch (IOException ex) {
			// The connection is broken. The other side has to learn this as well.
		}
		close();
	}

	void close() {
		closeQuietly(this.client);
		closeQuietly(this.server);
		this.relay.closed(this);
	}

	private static void closeQuietly(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			// There is nothing more to be done with the socket.
		}
	}

}

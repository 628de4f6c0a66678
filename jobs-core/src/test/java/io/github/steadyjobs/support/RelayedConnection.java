package io.github.steadyjobs.support;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * A connection that a {@link TcpRelay} forwards, with one thread for each direction.
 */
final class RelayedConnection {

	private final TcpRelay relay;

	private final Socket client;

	private final Socket server = new Socket();

	private volatile boolean dead;

	private volatile boolean losesReply;

	RelayedConnection(TcpRelay relay, Socket client) {
		this.relay = relay;
		this.client = client;
		this.dead = relay.isSwallowing();
	}

	void open(InetSocketAddress target) {
		try {
			this.client.setTcpNoDelay(true);
			this.server.setTcpNoDelay(true);
			this.server.connect(target);
			TcpRelay.start("replies", () -> pump(this.server, this.client, this::reply));
			pump(this.client, this.server, this::request);
		}
		catch (IOException ex) {
			close();
		}
	}

	private void pump(Socket from, Socket to, Filter filter) {
		byte[] buffer = new byte[1 << 16];
		try {
			int length = from.getInputStream().read(buffer);
			while (length >= 0) {
				if (!this.dead) {
					byte[] bytes = filter.apply(Arrays.copyOf(buffer, length));
					to.getOutputStream().write(bytes);
				}
				else {
					this.relay.swallowed(length);
				}
				length = from.getInputStream().read(buffer);
			}
			// While data is swallowed, the end of a connection is swallowed too.
			if (!this.dead) {
				close();
			}
		}
		catch (IOException ex) {
			close();
		}
	}

	private byte[] request(byte[] bytes) {
		if (this.relay.isFatal(bytes)) {
			die();
		}
		if (this.relay.takesReplyOf(bytes)) {
			this.losesReply = true;
		}
		return bytes;
	}

	private byte[] reply(byte[] bytes) throws IOException {
		if (this.losesReply) {
			this.relay.replyLost();
			throw new IOException("The reply gets lost on demand");
		}
		LockSupport.parkNanos(this.relay.delay().toNanos());
		this.relay.awaitRelease();
		return this.relay.rewritten(bytes);
	}

	/**
	 * Swallow everything from now on, permanently, because the stream would otherwise
	 * have gaps.
	 */
	void die() {
		this.dead = true;
	}

	void close() {
		TcpRelay.closeQuietly(this.client);
		TcpRelay.closeQuietly(this.server);
		this.relay.closed(this);
	}

	@FunctionalInterface
	private interface Filter {

		byte[] apply(byte[] bytes) throws IOException;

	}

}

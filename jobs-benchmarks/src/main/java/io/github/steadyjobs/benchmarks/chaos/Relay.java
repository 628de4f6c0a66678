package io.github.steadyjobs.benchmarks.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Sits between one process and Redis, forwards their traffic, and breaks their
 * connections on demand.
 */
final class Relay implements AutoCloseable {

	private final URI redis;

	private final ServerSocket listener;

	private final Set<RelayedConnection> connections = ConcurrentHashMap.newKeySet();

	private final AtomicInteger replyDelay = new AtomicInteger();

	private volatile State state = State.PASSING;

	private Relay(URI redis) throws IOException {
		this.redis = redis;
		this.listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
	}

	static Relay to(URI redis) throws IOException {
		Relay relay = new Relay(redis);
		thread("relay-accept", relay::accept);
		return relay;
	}

	/**
	 * Return the address that a client of this relay has to use.
	 */
	String url() {
		try {
			return new URI(this.redis.getScheme(), this.redis.getUserInfo(),
					this.listener.getInetAddress().getHostAddress(), this.listener.getLocalPort(), this.redis.getPath(),
					this.redis.getQuery(), null)
				.toString();
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	int port() {
		return this.listener.getLocalPort();
	}

	int serverPort() {
		return this.redis.getPort();
	}

	/**
	 * Break the connections until {@link #heal()} is called.
	 */
	void disturb(Cut cut) {
		this.state = switch (cut) {
			case CLOSE -> State.PASSING;
			case REFUSE -> State.REFUSING;
			case SILENCE -> State.SILENT;
			case LOSE_REPLIES -> State.LOSING_REPLIES;
		};
		if (cut == Cut.CLOSE || cut == Cut.REFUSE) {
			closeAll();
		}
	}

	/**
	 * Forward everything again. Connections that have lost data are closed.
	 */
	void heal() {
		if (this.state != State.PASSING) {
			this.state = State.PASSING;
			closeAll();
		}
	}

	/**
	 * Return the client addresses of this relay's connections, as seen by the server.
	 */
	List<InetSocketAddress> addresses() {
		return this.connections.stream().map(RelayedConnection::address).toList();
	}

	/**
	 * Increase or reduce the delay of replies.
	 * @param millis the change in milliseconds; delays add up, because faults overlap
	 */
	void delayReplies(int millis) {
		this.replyDelay.addAndGet(millis);
	}

	boolean passesRequests() {
		return this.state != State.SILENT;
	}

	/**
	 * Wait for the current delay of replies, and return whether to forward the reply.
	 */
	boolean passesReplies() {
		int delay = this.replyDelay.get();
		if (delay > 0) {
			LockSupport.parkNanos(Duration.ofMillis(delay).toNanos());
		}
		return this.state == State.PASSING;
	}

	private void accept() {
		while (!this.listener.isClosed()) {
			try {
				Socket client = this.listener.accept();
				if (this.state == State.REFUSING) {
					client.close();
				}
				else {
					connect(client);
				}
			}
			catch (IOException ex) {
				// The socket was closed, which ends the loop, or the client has already
				// gone away.
			}
		}
	}

	private void connect(Socket client) throws IOException {
		try {
			Socket server = new Socket(this.redis.getHost(), (this.redis.getPort() > 0) ? this.redis.getPort() : 6379);
			RelayedConnection connection = new RelayedConnection(client, server, this);
			this.connections.add(connection);
			connection.open();
		}
		catch (IOException ex) {
			client.close();
			throw ex;
		}
	}

	void closed(RelayedConnection connection) {
		this.connections.remove(connection);
	}

	private void closeAll() {
		this.connections.forEach(RelayedConnection::close);
	}

	static void thread(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() {
		try {
			this.listener.close();
		}
		catch (IOException ex) {
			// The socket no longer listens, even if this exception was thrown.
		}
		closeAll();
	}

	private enum State {

		PASSING, REFUSING, SILENT, LOSING_REPLIES

	}

}

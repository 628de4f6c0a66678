package io.github.steadyjobs.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.github.steadyjobs.redis.RedisConnections;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Stands between a client and a server and disturbs their communication. It forwards
 * everything until a test requests a disturbance.
 */
public final class TcpRelay implements AutoCloseable {

	private final InetSocketAddress target;

	private final int port;

	private final Set<RelayedConnection> connections = ConcurrentHashMap.newKeySet();

	private final AtomicInteger accepted = new AtomicInteger();

	private final List<LettuceConnectionFactory> factories = new ArrayList<>();

	private final List<RedisConnections> opened = new ArrayList<>();

	private @Nullable ServerSocket listener;

	/** Keeps the port from other programs while there is no listener. */
	private @Nullable Socket reservation;

	private @Nullable Thread acceptor;

	private volatile boolean swallowing;

	private volatile Duration delay = Duration.ZERO;

	private volatile CountDownLatch held = new CountDownLatch(0);

	private volatile @Nullable Rewriting rewriting;

	private volatile @Nullable String requestToLoseReplyOf;

	private volatile @Nullable String fatalText;

	private volatile int oneLostOf;

	private volatile Runnable lostReplyListener = () -> {
	};

	private final AtomicInteger lostReplies = new AtomicInteger();

	private final AtomicLong swallowed = new AtomicLong();

	private TcpRelay(InetSocketAddress target) {
		this.target = target;
		this.port = listen(0);
	}

	/**
	 * Start a relay.
	 * @param host the host of the server
	 * @param port the port of the server
	 * @return the relay, on a free port of the loopback interface
	 */
	public static TcpRelay to(String host, int port) {
		return new TcpRelay(new InetSocketAddress(host, port));
	}

	/**
	 * Start a relay in front of a Redis.
	 * @param redis the Redis
	 * @return the relay, on a free port of the loopback interface
	 */
	public static TcpRelay to(TestRedis redis) {
		return to(redis.connectionFactory().getHostName(), redis.connectionFactory().getPort());
	}

	public String host() {
		return "127.0.0.1";
	}

	public int port() {
		return this.port;
	}

	/**
	 * Return the address of a Redis that is reached through this relay, in the format of
	 * {@code spring.data.redis.url}.
	 * @return a URL with the address of this relay
	 */
	public String url() {
		return "redis://" + host() + ":" + port();
	}

	/**
	 * Return a new factory for a Redis that is reached through this relay. The factory is
	 * closed along with the relay.
	 * @param commandTimeout the command timeout
	 * @return the started factory
	 */
	public LettuceConnectionFactory connectionFactory(Duration commandTimeout) {
		LettuceConnectionFactory factory = ConnectionFactories.single(url(), commandTimeout);
		this.factories.add(factory);
		return factory;
	}

	/**
	 * Return new connections to a Redis that is reached through this relay. These
	 * connections are closed along with the relay.
	 * @param commandTimeout the command timeout
	 * @return connections with that command timeout
	 */
	public RedisConnections connections(Duration commandTimeout) {
		RedisConnections connections = new RedisConnections(connectionFactory(commandTimeout));
		this.opened.add(connections);
		return connections;
	}

	/**
	 * Return a new factory for a Redis that is reached through this relay. The factory is
	 * closed along with the relay. Its client waits for answers without a timeout.
	 * @param commandTimeout the command timeout for callers that check the time
	 * themselves
	 * @return the started factory
	 */
	public LettuceConnectionFactory connectionFactoryWithoutTimeouts(Duration commandTimeout) {
		LettuceConnectionFactory factory = ConnectionFactories.withoutTimeouts(url(), commandTimeout);
		this.factories.add(factory);
		return factory;
	}

	/**
	 * Forward everything. Connections whose data was swallowed stay dead.
	 */
	public synchronized void pass() {
		this.swallowing = false;
		this.delay = Duration.ZERO;
		this.held.countDown();
		this.rewriting = null;
		this.requestToLoseReplyOf = null;
		this.fatalText = null;
		this.oneLostOf = 0;
		if (this.listener == null) {
			listen(this.port);
		}
	}

	/**
	 * Close all connections. New connections are still accepted.
	 */
	public void cut() {
		this.connections.forEach(RelayedConnection::close);
	}

	/**
	 * Close all connections and refuse new connections, like a host without a running
	 * server.
	 */
	public synchronized void refuse() {
		closeQuietly(this.listener);
		this.listener = null;
		awaitAcceptor();
		reserve();
		cut();
	}

	/**
	 * Wait until the acceptor has ended, because the port is free only when no thread is
	 * waiting on it.
	 */
	private void awaitAcceptor() {
		try {
			if (this.acceptor != null) {
				this.acceptor.join();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Keep connections open and accept new connections, but swallow all data, like a
	 * network that has lost the route to a host.
	 */
	public void swallow() {
		this.swallowing = true;
		this.connections.forEach(RelayedConnection::die);
	}

	/**
	 * Forward replies late.
	 * @param duration the delay
	 */
	public void delay(Duration duration) {
		this.delay = duration;
	}

	/**
	 * Forward requests, but keep all replies back until {@link #pass()} is called.
	 */
	public void hold() {
		this.held = new CountDownLatch(1);
	}

	void awaitRelease() throws IOException {
		try {
			this.held.await();
		}
		catch (InterruptedException ex) {
			throw new IOException(ex);
		}
	}

	/**
	 * Replace a text in all replies.
	 * @param text the text to replace
	 * @param replacement the replacement, of the same length
	 */
	public void rewriteReplies(String text, String replacement) {
		this.rewriting = new Rewriting(text, replacement);
	}

	/**
	 * Forward the next request, swallow its reply, and close the connection.
	 */
	public void loseNextReply() {
		loseReplyTo("");
	}

	/**
	 * Forward the next request that contains a text, swallow its reply, and close the
	 * connection.
	 * @param text the text, in ASCII
	 */
	public void loseReplyTo(String text) {
		this.requestToLoseReplyOf = text;
	}

	/**
	 * Return whether the request whose reply is to be lost has arrived. Its reply may
	 * follow much later, because a claim can wait in Redis.
	 * @return whether that request has arrived; also true if no reply is to be lost
	 */
	public boolean losesReply() {
		return this.requestToLoseReplyOf == null;
	}

	/**
	 * Lose a fraction of all replies, each along with its connection.
	 * @param oneOf one in how many replies is lost, at random; 0 to lose none
	 */
	public void loseReplies(int oneOf) {
		this.oneLostOf = oneOf;
	}

	/**
	 * Let each connection die when a request on it contains a text.
	 * @param text the text, in ASCII; {@code null} to stop this
	 */
	public void swallowConnectionsOf(@Nullable String text) {
		this.fatalText = text;
	}

	boolean isFatal(byte[] request) {
		String text = this.fatalText;
		return text != null && new String(request, StandardCharsets.ISO_8859_1).contains(text);
	}

	/**
	 * Set an action that is run when a reply is lost, before its connection is closed.
	 * @param listener the action
	 */
	public void onLostReply(Runnable listener) {
		this.lostReplyListener = listener;
	}

	/**
	 * Return how many replies this relay has lost because a test requested it.
	 * @return the number of lost replies
	 */
	public int lostReplies() {
		return this.lostReplies.get();
	}

	/**
	 * Return how many bytes were swallowed, which shows that something was sent.
	 * @return the number of swallowed bytes
	 */
	public long swallowed() {
		return this.swallowed.get();
	}

	/**
	 * Return how many connections are open.
	 * @return the number of open connections
	 */
	public int open() {
		return this.connections.size();
	}

	/**
	 * Return how many connections have been accepted so far.
	 * @return the number of accepted connections
	 */
	public int accepted() {
		return this.accepted.get();
	}

	private void reserve() {
		closeQuietly(this.reservation);
		try {
			Socket socket = new Socket();
			socket.setReuseAddress(true);
			socket.bind(new InetSocketAddress(InetAddress.getByName(host()), this.port));
			this.reservation = socket;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private int listen(int wanted) {
		try {
			ServerSocket socket = new ServerSocket();
			// This allows the relay to use the same port again while old connections
			// linger.
			socket.setReuseAddress(true);
			socket.bind(new InetSocketAddress(InetAddress.getByName(host()), wanted));
			this.listener = socket;
			closeQuietly(this.reservation);
			this.acceptor = start("accept", () -> accept(socket));
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void accept(ServerSocket socket) {
		while (!socket.isClosed()) {
			try {
				RelayedConnection connection = new RelayedConnection(this, socket.accept());
				this.accepted.incrementAndGet();
				this.connections.add(connection);
				start("connection", () -> connection.open(this.target));
			}
			catch (IOException ex) {
				// The socket was closed. The loop condition tells whether the relay is
				// closed as well.
			}
		}
	}

	static Thread start(String name, Runnable task) {
		Thread thread = new Thread(task, "relay-" + name);
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	boolean isSwallowing() {
		return this.swallowing;
	}

	Duration delay() {
		return this.delay;
	}

	byte[] rewritten(byte[] reply) {
		Rewriting present = this.rewriting;
		return (present != null) ? present.apply(reply) : reply;
	}

	/**
	 * Return whether the reply to this request is to be lost.
	 */
	synchronized boolean takesReplyOf(byte[] request) {
		if (this.oneLostOf > 0 && ThreadLocalRandom.current().nextInt(this.oneLostOf) == 0) {
			return true;
		}
		String text = this.requestToLoseReplyOf;
		if (text == null || !new String(request, StandardCharsets.ISO_8859_1).contains(text)) {
			return false;
		}
		this.requestToLoseReplyOf = null;
		return true;
	}

	void swallowed(int bytes) {
		this.swallowed.addAndGet(bytes);
	}

	void replyLost() {
		this.lostReplyListener.run();
		this.lostReplies.incrementAndGet();
	}

	void closed(RelayedConnection connection) {
		this.connections.remove(connection);
	}

	static void closeQuietly(@Nullable AutoCloseable closeable) {
		try {
			if (closeable != null) {
				closeable.close();
			}
		}
		catch (Exception ex) {
			// Nothing more can be done with the socket.
		}
	}

	@Override
	public void close() {
		this.held.countDown();
		this.opened.forEach(RedisConnections::close);
		this.factories.forEach(LettuceConnectionFactory::destroy);
		refuse();
		closeQuietly(this.reservation);
	}

	private record Rewriting(String text, String replacement) {

		Rewriting {
			if (text.length() != replacement.length()) {
				throw new IllegalArgumentException("A reply must keep its length");
			}
		}

		byte[] apply(byte[] reply) {
			return new String(reply, StandardCharsets.ISO_8859_1).replace(this.text, this.replacement)
				.getBytes(StandardCharsets.ISO_8859_1);
		}

	}

}

package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreException;
import io.lettuce.core.api.StatefulConnection;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is opened when it is first requested, kept open, and opened again
 * after it breaks. Opening it blocks no thread. Thread safe.
 */
final class HeldConnection {

	/** How long a caller waits for a single server before the request fails. */
	static final Duration PATIENCE = Duration.ofSeconds(5);

	/**
	 * How long a caller waits for a node of a cluster before it checks whether another
	 * node has taken over.
	 */
	static final Duration PATIENCE_WITH_NODE = Duration.ofSeconds(2);

	/**
	 * The period after a failed attempt in which requests fail immediately, so that many
	 * callers do not cause a storm of attempts.
	 */
	static final Duration PAUSE = Duration.ofMillis(500);

	private final Supplier<? extends CompletionStage<StatefulConnection<byte[], byte[]>>> opener;

	private final Supplier<String> address;

	private final Duration patience;

	/**
	 * One future per caller, because a shared future would notify callers in reverse
	 * order.
	 */
	private final Queue<CompletableFuture<StatefulConnection<byte[], byte[]>>> asking = new ArrayDeque<>();

	private volatile @Nullable StatefulConnection<byte[], byte[]> connection;

	private volatile @Nullable StatefulConnection<byte[], byte[]> discarded;

	private volatile @Nullable Object attempt;

	private @Nullable Throwable failure;

	private long failedAt;

	/**
	 * Create a held connection. Nothing is opened yet.
	 * @param opener opens the connection without blocking
	 * @param address the address of the server, for messages
	 * @param patience how long a caller waits for the connection before the request fails
	 */
	HeldConnection(Supplier<? extends CompletionStage<StatefulConnection<byte[], byte[]>>> opener,
			Supplier<String> address, Duration patience) {
		this.opener = opener;
		this.address = address;
		this.patience = patience;
	}

	/**
	 * Return a future with the connection, which is open as far as this process knows.
	 */
	CompletableFuture<StatefulConnection<byte[], byte[]>> connection() {
		return ask(new CompletableFuture<>());
	}

	/**
	 * Pass the connection to a sender, or the reason why there is no connection. Senders
	 * receive the connection in the order in which they asked. All senders that have to
	 * wait receive it on the same thread, because a command that the network thread sends
	 * may overtake commands that other threads sent before it.
	 */
	void connection(BiConsumer<@Nullable StatefulConnection<byte[], byte[]>, @Nullable Throwable> sender) {
		CompletableFuture<StatefulConnection<byte[], byte[]>> asked = new CompletableFuture<>();
		// Set the sender first. If the connection were opened before that, this thread
		// would call the sender, while the opening thread already calls later senders.
		asked.whenComplete(sender);
		CompletableFuture<StatefulConnection<byte[], byte[]>> given = ask(asked);
		if (given != asked) {
			given.whenComplete(sender);
		}
	}

	private CompletableFuture<StatefulConnection<byte[], byte[]>> ask(
			CompletableFuture<StatefulConnection<byte[], byte[]>> asked) {
		StatefulConnection<byte[], byte[]> broken;
		Object started = null;
		synchronized (this) {
			StatefulConnection<byte[], byte[]> present = present();
			if (present != null) {
				return CompletableFuture.completedFuture(present);
			}
			broken = this.connection;
			if (this.failure != null && System.nanoTime() - this.failedAt < PAUSE.toNanos()) {
				return CompletableFuture.failedFuture(this.failure);
			}
			this.asking.add(asked);
			if (this.attempt == null) {
				started = new Object();
				this.attempt = started;
				this.connection = null;
			}
		}
		if (started != null) {
			if (broken != null) {
				broken.closeAsync();
			}
			open(started);
		}
		return asked.orTimeout(this.patience.toNanos(), TimeUnit.NANOSECONDS);
	}

	/** Return the connection if it can be used and no caller is waiting for it. */
	@Nullable StatefulConnection<byte[], byte[]> present() {
		StatefulConnection<byte[], byte[]> present = this.connection;
		return (present != null && this.attempt == null && present.isOpen()) ? present : null;
	}

	private void open(Object started) {
		CompletionStage<StatefulConnection<byte[], byte[]>> opening;
		try {
			opening = this.opener.get();
		}
		catch (Throwable ex) {
			opening = CompletableFuture.failedFuture(ex);
		}
		opening.whenComplete((opened, error) -> {
			if (error == null) {
				opened(started, opened);
			}
			else {
				failed(started, RedisErrors.unwrap(error));
			}
		});
		// The attempt may never end on its own: the client may have been stopped, and a
		// frozen server accepts connections but never answers.
		Duration limit = this.patience.multipliedBy(2);
		CompletableFuture.delayedExecutor(limit.toNanos(), TimeUnit.NANOSECONDS, Runnable::run)
			.execute(() -> failed(started, new TimeoutException("no connection within " + limit)));
	}

	private void opened(Object started, StatefulConnection<byte[], byte[]> opened) {
		boolean late;
		synchronized (this) {
			late = this.attempt != started;
			if (!late) {
				this.connection = opened;
				this.failure = null;
			}
		}
		if (late) {
			opened.closeAsync();
		}
		else {
			give(started, opened);
		}
	}

	private void give(Object started, StatefulConnection<byte[], byte[]> opened) {
		while (true) {
			CompletableFuture<StatefulConnection<byte[], byte[]>> next;
			synchronized (this) {
				if (this.attempt != started) {
					return;
				}
				if (this.asking.isEmpty()) {
					this.attempt = null;
					return;
				}
				if (this.connection != opened) {
					// The first callers could not use the connection and dropped it.
					break;
				}
				next = this.asking.remove();
			}
			next.complete(opened);
		}
		open(started);
	}

	private void failed(Object started, Throwable error) {
		List<CompletableFuture<StatefulConnection<byte[], byte[]>>> waiting;
		synchronized (this) {
			if (this.attempt != started) {
				return;
			}
			this.attempt = null;
			this.failure = error;
			this.failedAt = System.nanoTime();
			waiting = List.copyOf(this.asking);
			this.asking.clear();
		}
		waiting.forEach((asked) -> asked.completeExceptionally(error));
	}

	/**
	 * Wait for the connection and return it. Must not be called by network threads.
	 * @throws JobStoreException if the connection cannot be opened, the server is too
	 * old, or the thread is interrupted
	 */
	StatefulConnection<byte[], byte[]> get() {
		try {
			return Interrupts.get(connection(), this.patience.multipliedBy(2).toNanos());
		}
		catch (TimeoutException ex) {
			throw RedisErrors.unavailable(address(), ex);
		}
		catch (ExecutionException ex) {
			throw RedisErrors.notOpened(address(), Objects.requireNonNullElse(ex.getCause(), ex));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw RedisErrors.interrupted(ex);
		}
	}

	String address() {
		return this.address.get();
	}

	boolean isPresent(StatefulConnection<byte[], byte[]> connection) {
		return this.connection == connection;
	}

	/** Return whether this process closed a connection on purpose and did not lose it. */
	boolean isDiscarded(StatefulConnection<byte[], byte[]> connection) {
		return this.discarded == connection;
	}

	/**
	 * Close a useless connection, unless another connection has already replaced it.
	 * Calls that wait for an answer on the closed connection fail.
	 */
	void discard(StatefulConnection<byte[], byte[]> useless) {
		if (drop(useless, true)) {
			// Close the connection outside the lock, because network threads take the
			// lock.
			useless.closeAsync();
		}
	}

	/**
	 * Use another connection from now on, because the server at the other end of the
	 * given connection is no longer suitable. Calls that wait on the old connection have
	 * half a second to receive their answers.
	 */
	void retire(StatefulConnection<byte[], byte[]> useless) {
		if (drop(useless, false)) {
			CompletableFuture.delayedExecutor(PAUSE.toNanos(), TimeUnit.NANOSECONDS, Runnable::run)
				.execute(useless::closeAsync);
		}
	}

	/** Record that a connection has broken, even if it still seems open. */
	void lost(StatefulConnection<byte[], byte[]> broken) {
		if (drop(broken, false)) {
			broken.closeAsync();
		}
	}

	private synchronized boolean drop(StatefulConnection<byte[], byte[]> dropped, boolean discarded) {
		boolean present = this.connection == dropped;
		if (present) {
			this.connection = null;
			this.discarded = discarded ? dropped : this.discarded;
		}
		return present;
	}

	/** Close the connection. The next caller opens a new connection. */
	CompletableFuture<?> close() {
		List<CompletableFuture<StatefulConnection<byte[], byte[]>>> waiting;
		StatefulConnection<byte[], byte[]> present;
		synchronized (this) {
			this.attempt = null;
			this.failure = null;
			waiting = List.copyOf(this.asking);
			this.asking.clear();
			present = this.connection;
			this.connection = null;
			// Closing twice must not make the connection look as if it had broken.
			this.discarded = (present != null) ? present : this.discarded;
		}
		waiting.forEach((asked) -> asked.completeExceptionally(new IllegalStateException("the connection was closed")));
		return (present != null) ? present.closeAsync() : CompletableFuture.completedFuture(null);
	}

}

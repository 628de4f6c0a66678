package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreUnavailableException;
import io.lettuce.core.api.StatefulConnection;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is opened when it is first asked for, held, and opened anew after it
 * broke. Thread safe.
 */
final class HeldConnection implements AutoCloseable {

	/**
	 * How long a caller waits for a connection before it is told that there is none.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(5);

	/**
	 * How long callers are turned away after an attempt failed, so that many of them do
	 * not become a storm.
	 */
	private static final Duration PAUSE = Duration.ofMillis(500);

	private final String name;

	private final Supplier<StatefulConnection<byte[], byte[]>> opener;

	private final Supplier<@Nullable Object> client;

	private final Supplier<String> address;

	private volatile @Nullable StatefulConnection<byte[], byte[]> connection;

	private @Nullable CompletableFuture<StatefulConnection<byte[], byte[]>> attempt;

	private @Nullable Object attemptedBy;

	private long attemptEnded;

	HeldConnection(String name, Supplier<StatefulConnection<byte[], byte[]>> opener, Supplier<@Nullable Object> client,
			Supplier<String> address) {
		this.name = name;
		this.opener = opener;
		this.client = client;
		this.address = address;
	}

	/**
	 * Return the connection, open as far as is known.
	 * @throws JobStoreUnavailableException if it cannot be opened
	 */
	StatefulConnection<byte[], byte[]> get() {
		StatefulConnection<byte[], byte[]> current = this.connection;
		return (current != null && current.isOpen()) ? current : await(attempt());
	}

	boolean isOpen() {
		StatefulConnection<byte[], byte[]> current = this.connection;
		return current != null && current.isOpen();
	}

	/**
	 * Return the connection that calls go to at present, {@code null} if there is none.
	 */
	@Nullable StatefulConnection<byte[], byte[]> present() {
		return this.connection;
	}

	/**
	 * Return whether this is the connection that calls go to at present.
	 */
	boolean isPresent(StatefulConnection<byte[], byte[]> connection) {
		return this.connection == connection;
	}

	/**
	 * Throw the present connection away, as it does not do its duty. Whoever waits for an
	 * answer on it learns that none will come.
	 */
	void discard() {
		StatefulConnection<byte[], byte[]> current = this.connection;
		if (current != null) {
			discard(current);
		}
	}

	/**
	 * Throw a connection away that does not do its duty, unless another was opened since.
	 * Whoever waits for an answer on it learns that none will come.
	 */
	synchronized void discard(StatefulConnection<byte[], byte[]> broken) {
		if (this.connection == broken) {
			this.connection = null;
			broken.closeAsync();
		}
	}

	private synchronized CompletableFuture<StatefulConnection<byte[], byte[]>> attempt() {
		StatefulConnection<byte[], byte[]> current = this.connection;
		if (current != null && current.isOpen()) {
			return CompletableFuture.completedFuture(current);
		}
		if (current != null) {
			discard(current);
		}
		CompletableFuture<StatefulConnection<byte[], byte[]>> pending = this.attempt;
		Object present = this.client.get();
		// What a client attempted that was stopped since may never end, and tells
		// nothing.
		if (pending != null && this.attemptedBy == present) {
			boolean justFailed = System.nanoTime() - this.attemptEnded < PAUSE.toNanos();
			if (!pending.isDone() || (pending.isCompletedExceptionally() && justFailed)) {
				return pending;
			}
		}
		CompletableFuture<StatefulConnection<byte[], byte[]>> started = new CompletableFuture<>();
		this.attempt = started;
		this.attemptedBy = present;
		Thread thread = new Thread(() -> open(started), "jobs-connect-" + this.name);
		thread.setDaemon(true);
		thread.start();
		return started;
	}

	private void open(CompletableFuture<StatefulConnection<byte[], byte[]>> started) {
		try {
			StatefulConnection<byte[], byte[]> opened = this.opener.get();
			synchronized (this) {
				if (this.attempt == started) {
					this.connection = opened;
				}
				else {
					opened.closeAsync();
				}
			}
			started.complete(opened);
		}
		catch (Throwable ex) {
			synchronized (this) {
				this.attemptEnded = System.nanoTime();
			}
			started.completeExceptionally(ex);
		}
	}

	private StatefulConnection<byte[], byte[]> await(CompletableFuture<StatefulConnection<byte[], byte[]>> attempt) {
		try {
			return attempt.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException ex) {
			throw RedisErrors.notOpened(this.address.get(), Objects.requireNonNullElse(ex.getCause(), ex));
		}
		catch (TimeoutException ex) {
			throw RedisErrors.unavailable(this.address.get(), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw RedisErrors.unavailable(this.address.get(), ex);
		}
	}

	@Override
	public synchronized void close() {
		this.attempt = null;
		StatefulConnection<byte[], byte[]> current = this.connection;
		if (current != null) {
			this.connection = null;
			if (current.isOpen()) {
				current.close();
			}
		}
	}

}

package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.steadyjobs.JobStoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.api.StatefulConnection;
import org.jspecify.annotations.Nullable;

/**
 * A call and its answer. It is sent once more when the connection breaks before the
 * answer, follows a queue to another node of a cluster, and fails with a
 * {@link JobStoreException} if nothing helps. Nothing here blocks or throws.
 */
final class RedisCall extends CompletableFuture<List<Object>> {

	private static final int MOST_REDIRECTIONS = 5;

	private static final CompletableFuture<Void> SENT = CompletableFuture.completedFuture(null);

	private final Form form;

	private final Duration timeout;

	private final @Nullable NodeConnections route;

	private final byte[][] keys;

	private @Nullable CompletableFuture<Void> sent;

	private boolean byText;

	private boolean doubtful;

	private boolean repeated;

	private boolean relocated;

	private int redirections;

	/**
	 * Create a call.
	 * @param form writes its command
	 * @param timeout how long each copy of it may be under way
	 * @param route the connections to all nodes, on which it is sent again, wherever it
	 * was sent first; {@code null} if it must not go anywhere but to the connection on
	 * which it is sent first, or its successor
	 * @param keys its keys; the first one decides the node
	 */
	RedisCall(Form form, Duration timeout, @Nullable NodeConnections route, byte[]... keys) {
		this.form = form;
		this.timeout = timeout;
		this.route = route;
		this.keys = keys;
	}

	/**
	 * Do not send this call again if the server may have carried it out. For what would
	 * count twice.
	 */
	RedisCall neverRepeated() {
		this.repeated = true;
		return this;
	}

	byte[] key() {
		return this.keys[0];
	}

	/**
	 * Return what completes when the call has been sent, or never will be.
	 */
	synchronized CompletableFuture<Void> sent() {
		if (this.sent == null) {
			this.sent = new CompletableFuture<>();
		}
		return this.sent;
	}

	private void noteSent() {
		CompletableFuture<Void> awaited;
		synchronized (this) {
			awaited = this.sent;
			this.sent = SENT;
		}
		if (awaited != null) {
			awaited.complete(null);
		}
	}

	/**
	 * Make a copy of the command, to be sent on a connection.
	 */
	Sent copy(HeldConnection held, StatefulConnection<byte[], byte[]> connection) {
		noteSent();
		return new Copy(held, connection);
	}

	/**
	 * Send a copy. Whatever goes wrong becomes the answer.
	 */
	void sendOn(HeldConnection held, StatefulConnection<byte[], byte[]> connection) {
		try {
			copy(held, connection).on(connection);
		}
		catch (Throwable ex) {
			fail(ex);
		}
	}

	private void failed(Sent copy, Throwable error, HeldConnection held,
			StatefulConnection<byte[], byte[]> connection) {
		if (RedisErrors.isScriptMissing(error) && !this.byText) {
			// By its text once, which also makes the server keep it.
			this.byText = true;
			if (this.route != null) {
				this.route.send(this);
			}
			else {
				sendOn(held, connection);
			}
		}
		else if (error instanceof RedisCommandExecutionException) {
			refused(error, held, connection);
		}
		else if (error instanceof RedisCommandTimeoutException) {
			// It may have died silently.
			held.discard(connection);
			changed();
			this.doubtful = true;
			fail(error);
		}
		else {
			lost(copy, error, held, connection);
		}
	}

	private void refused(Throwable error, HeldConnection held, StatefulConnection<byte[], byte[]> connection) {
		if (this.route != null && RedisErrors.isElsewhere(error) && this.redirections++ < MOST_REDIRECTIONS) {
			this.route.redirect(this, String.valueOf(error.getMessage()));
			return;
		}
		if (RedisErrors.wantsAnotherConnection(error)) {
			held.retire(connection);
		}
		if (RedisErrors.isClusterDown(error)) {
			changed();
		}
		JobStoreException failure = translate(error);
		if (failure.reason() == JobStoreException.Reason.DAMAGED) {
			WrongType.explain(List.of(this.keys), failure, connection).thenAccept(this::completeExceptionally);
			return;
		}
		completeExceptionally(failure);
	}

	/**
	 * The connection has gone. The server may have carried the call out, which every
	 * script that is sent again notices.
	 */
	private void lost(Sent copy, Throwable error, HeldConnection held, StatefulConnection<byte[], byte[]> connection) {
		this.doubtful |= copy.isWritten();
		held.lost(connection);
		if (this.repeated || (copy.isWritten() && held.isDiscarded(connection))) {
			fail(RedisErrors.unavailable(held.address(), error));
			return;
		}
		this.repeated = true;
		if (this.route != null) {
			this.route.send(this);
		}
		else {
			held.send(this);
		}
	}

	/**
	 * There is no connection to send a copy on. Another node of a cluster may have taken
	 * over meanwhile.
	 */
	void notSent(String address, Throwable error) {
		if (this.route != null && !this.relocated && !(error instanceof JobStoreException)) {
			this.relocated = true;
			this.route.relocate(this, address, error);
			return;
		}
		fail(RedisErrors.notOpened(address, error));
	}

	private void changed() {
		if (this.route != null) {
			this.route.changed();
		}
	}

	/**
	 * Do something for calls. Whatever it throws becomes their answer.
	 */
	static void attempt(List<RedisCall> calls, Runnable step) {
		try {
			step.run();
		}
		catch (Throwable ex) {
			calls.forEach((call) -> call.fail(ex));
		}
	}

	void fail(Throwable error) {
		completeExceptionally(translate(error));
		noteSent();
	}

	private JobStoreException translate(Throwable error) {
		return this.doubtful ? RedisErrors.translateDoubtful(error) : RedisErrors.translate(error);
	}

	@FunctionalInterface
	interface Form {

		/**
		 * Write it, or return what was written before.
		 * @param byText whether a script must be sent as a whole, because the server does
		 * not know it
		 */
		CommandBytes write(boolean byText);

	}

	private final class Copy extends Sent {

		private final HeldConnection held;

		private final StatefulConnection<byte[], byte[]> connection;

		Copy(HeldConnection held, StatefulConnection<byte[], byte[]> connection) {
			super(RedisCall.this.form.write(RedisCall.this.byText), RedisCall.this.timeout);
			this.held = held;
			this.connection = connection;
		}

		@Override
		void answered(@Nullable List<Object> reply, @Nullable Throwable error) {
			if (error == null) {
				RedisCall.this.complete(reply);
				return;
			}
			try {
				failed(this, error, this.held, this.connection);
			}
			catch (Throwable ex) {
				fail(ex);
			}
		}

	}

}

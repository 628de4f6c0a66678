package io.github.steadyjobs.redis;

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

	private final Form form;

	private final List<byte[]> keys;

	private final @Nullable NodeConnections route;

	private final CompletableFuture<Void> sent = new CompletableFuture<>();

	private boolean byText;

	private boolean doubtful;

	private boolean repeated;

	private boolean relocated;

	private int redirections;

	/**
	 * Create a call.
	 * @param form makes copies of its command
	 * @param keys its keys; the first one decides the node
	 * @param route the connections to all nodes, {@code null} if the call must not go
	 * anywhere but to the connection on which it is sent first, or its successor
	 */
	RedisCall(Form form, List<byte[]> keys, @Nullable NodeConnections route) {
		this.form = form;
		this.keys = keys;
		this.route = route;
	}

	byte[] key() {
		return this.keys.get(0);
	}

	/**
	 * Return what completes when the call has been sent, or never will be.
	 */
	CompletableFuture<Void> sent() {
		return this.sent;
	}

	/**
	 * Make a copy of the command, to be sent on a connection.
	 */
	Sent copy(HeldConnection held, StatefulConnection<byte[], byte[]> connection) {
		this.sent.complete(null);
		Sent copy = this.form.copy(this.byText);
		copy.whenComplete((reply, error) -> {
			if (error == null) {
				complete(reply);
			}
			else {
				attempt(List.of(this), () -> failed(copy, error, held, connection));
			}
		});
		return copy;
	}

	private void failed(Sent copy, Throwable error, HeldConnection held,
			StatefulConnection<byte[], byte[]> connection) {
		if (RedisErrors.isScriptMissing(error) && !this.byText) {
			// By its text once, which also makes the server keep it.
			this.byText = true;
			copy(held, connection).on(connection);
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
			WrongType.explain(this.keys, failure, connection).thenAccept(this::completeExceptionally);
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
			this.route.send(List.of(this));
		}
		else {
			held.send(List.of(this));
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
		this.sent.complete(null);
	}

	private JobStoreException translate(Throwable error) {
		return this.doubtful ? RedisErrors.translateDoubtful(error) : RedisErrors.translate(error);
	}

	/**
	 * Makes copies of a command.
	 */
	@FunctionalInterface
	interface Form {

		/**
		 * Make a copy.
		 * @param byText whether a script must be sent as a whole, because the server does
		 * not know it
		 */
		Sent copy(boolean byText);

	}

}

package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

/**
 * A call and its answer. The call is sent once more if the connection breaks before the
 * answer, and is redirected if the queue has moved to another node of a cluster. If there
 * is still no answer, the call fails with a {@link JobStoreException}. No method of this
 * class blocks or throws.
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
	 * @param form writes the command of the call
	 * @param timeout how long each copy of the call may be under way
	 * @param route the connections to all nodes, on which the call is sent again,
	 * wherever it was sent first; {@code null} to send it again only to the same server
	 * @param keys the keys of the call; the first key determines the node
	 */
	RedisCall(Form form, Duration timeout, @Nullable NodeConnections route, byte[]... keys) {
		this.form = form;
		this.timeout = timeout;
		this.route = route;
		this.keys = keys;
	}

	/**
	 * Never send this call again if the server may have carried it out. Meant for calls
	 * that would otherwise take effect twice.
	 */
	RedisCall neverRepeated() {
		this.repeated = true;
		return this;
	}

	/** Return a future that completes when the call was sent or will never be sent. */
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

	/** Send this call to the node of its keys. */
	void send(NodeConnections connections) {
		HeldConnection only = connections.only();
		if (only != null) {
			sendTo(only);
		}
		else {
			sendAll(connections, List.of(this));
		}
	}

	/** Send calls to the nodes of their keys, in one flush per node. */
	static void sendAll(NodeConnections connections, List<RedisCall> calls) {
		connections.finder().whenComplete(next(connections::address, calls, (finder) -> {
			Map<HeldConnection, List<RedisCall>> byNode = new LinkedHashMap<>();
			for (RedisCall call : calls) {
				HeldConnection held = finder.apply(call.keys[0]);
				if (held == null) {
					call.notSent(connections.address(), NodeConnections.nobodyServes());
				}
				else {
					byNode.computeIfAbsent(held, (to) -> new ArrayList<>()).add(call);
				}
			}
			byNode.forEach(RedisCall::sendAll);
		}));
	}

	private static void sendAll(HeldConnection held, List<RedisCall> calls) {
		held.connection(next(held::address, calls, (connection) -> {
			Sent.dispatch(connection, calls.stream().map((call) -> call.copy(held, connection)).toList());
			calls.forEach(RedisCall::noteSent);
		}));
	}

	/**
	 * Return the next step for some calls, to be taken when what it needs is there. If
	 * anything goes wrong, the calls fail.
	 */
	private static <T> BiConsumer<T, @Nullable Throwable> next(Supplier<String> address, List<RedisCall> calls,
			Consumer<T> step) {
		return (found, error) -> {
			try {
				if (error == null) {
					step.accept(found);
				}
				else {
					calls.forEach((call) -> call.notSent(address.get(), RedisErrors.unwrap(error)));
				}
			}
			catch (Throwable ex) {
				calls.forEach((call) -> call.fail(ex));
			}
		};
	}

	/** Send this call to one server as soon as there is a connection. */
	void sendTo(HeldConnection held) {
		StatefulConnection<byte[], byte[]> present = held.present();
		if (present != null) {
			sendOn(held, present);
		}
		else {
			sendAll(held, List.of(this));
		}
	}

	/** Send a copy. If anything goes wrong, this call fails. */
	void sendOn(HeldConnection held, StatefulConnection<byte[], byte[]> connection) {
		try {
			copy(held, connection).on(connection);
			noteSent();
		}
		catch (Throwable ex) {
			fail(ex);
		}
	}

	private Sent copy(HeldConnection held, StatefulConnection<byte[], byte[]> connection) {
		return new Copy(held, connection, this.timeout);
	}

	/**
	 * Return a copy to be sent right after another command on the same connection. Redis
	 * carries out the copy only when that command has ended.
	 * @param timeout how long this copy may be under way
	 * @param arrived called when this copy has been answered or has failed, before the
	 * call is completed or sent again
	 */
	Sent behind(HeldConnection held, StatefulConnection<byte[], byte[]> connection, Duration timeout,
			Runnable arrived) {
		noteSent();
		return new Copy(held, connection, timeout) {

			@Override
			void answered(@Nullable List<Object> reply, @Nullable Throwable error) {
				try {
					arrived.run();
				}
				finally {
					super.answered(reply, error);
				}
			}

		};
	}

	private void sendAgain(HeldConnection held) {
		if (this.route != null) {
			send(this.route);
		}
		else {
			sendTo(held);
		}
	}

	/**
	 * Send this call to the node to which another node has redirected it.
	 * @param answer the redirection that the other node has sent
	 */
	private void redirect(NodeConnections route, String answer) {
		String[] words = answer.split(" ");
		HeldConnection named = route.named(words[2]);
		if (words[0].equals("MOVED")) {
			route.changed();
			sendTo(named);
			return;
		}
		named.connection(next(named::address, List.of(this), (connection) -> {
			Sent asking = Sent.of(new CommandBytes(CommandType.ASKING), HeldConnection.PATIENCE, (reply, failure) -> {
			});
			Sent.dispatch(connection, List.of(asking, copy(named, connection)));
		}));
	}

	private void failed(Sent copy, Throwable error, HeldConnection held,
			StatefulConnection<byte[], byte[]> connection) {
		if (RedisErrors.isScriptMissing(error) && !this.byText) {
			// Send the text of the script once. The server then keeps the script.
			this.byText = true;
			sendAgain(held);
		}
		else if (error instanceof RedisCommandExecutionException) {
			refused(error, held, connection);
		}
		else if (error instanceof RedisCommandTimeoutException) {
			// The connection may have died silently.
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
			redirect(this.route, String.valueOf(error.getMessage()));
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
			KeyTypes.explain(List.of(this.keys), failure, connection).thenAccept(this::completeExceptionally);
			return;
		}
		completeExceptionally(failure);
	}

	/**
	 * Handle the loss of the connection. The call is sent again, unless it was repeated
	 * before or must not be repeated. It also fails if the server may have received it
	 * and this process itself has closed the connection.
	 */
	private void lost(Sent copy, Throwable error, HeldConnection held, StatefulConnection<byte[], byte[]> connection) {
		this.doubtful |= copy.isWritten();
		held.lost(connection);
		if (this.repeated || (copy.isWritten() && held.isDiscarded(connection))) {
			fail(RedisErrors.unavailable(held.address(), error));
			return;
		}
		this.repeated = true;
		sendAgain(held);
	}

	/**
	 * Handle a failure to connect. In a cluster, where another node may have taken over,
	 * look up the node again and send the call once more.
	 */
	private void notSent(String address, Throwable error) {
		NodeConnections route = this.route;
		if (route != null && route.only() == null && !this.relocated && !(error instanceof JobStoreException)) {
			this.relocated = true;
			route.changed().whenComplete((view, failure) -> send(route));
			return;
		}
		fail(RedisErrors.notOpened(address, error));
	}

	private void changed() {
		if (this.route != null) {
			this.route.changed();
		}
	}

	private void fail(Throwable error) {
		completeExceptionally(translate(error));
		noteSent();
	}

	private JobStoreException translate(Throwable error) {
		return this.doubtful ? RedisErrors.translateDoubtful(error) : RedisErrors.translate(error);
	}

	@FunctionalInterface
	interface Form {

		/**
		 * Return the command. Implementations may write the command each time or only
		 * once.
		 * @param byText whether to send the text of the script, because the server does
		 * not know the script
		 */
		CommandBytes write(boolean byText);

	}

	private class Copy extends Sent {

		private final HeldConnection held;

		private final StatefulConnection<byte[], byte[]> connection;

		Copy(HeldConnection held, StatefulConnection<byte[], byte[]> connection, Duration timeout) {
			super(RedisCall.this.form.write(RedisCall.this.byText), timeout);
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

package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.lettuce.core.TimeoutOptions.TimeoutSource;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.internal.ExceptionFactory;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.CompleteableCommand;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command that is sent at most once, knows whether it was sent, and fails if it is not
 * answered in time. This class does only what Lettuce requires, because its code runs for
 * every job, often before the JVM has compiled the code.
 */
abstract class Sent implements RedisCommand<byte[], byte[], List<Object>>, CompleteableCommand<List<Object>> {

	private static final Logger logger = LoggerFactory.getLogger(Sent.class);

	private final CommandBytes bytes;

	private final long timeout;

	private final ArrayOutput<byte[], byte[]> output = new ArrayOutput<>(ByteArrayCodec.INSTANCE);

	private final AtomicBoolean done = new AtomicBoolean();

	private volatile boolean written;

	private volatile boolean cancelled;

	private volatile @Nullable BiConsumer<? super List<Object>, Throwable> listener;

	Sent(CommandBytes bytes, Duration timeout) {
		this.bytes = bytes;
		this.timeout = timeout.toMillis();
	}

	/**
	 * Create a command with a listener.
	 * @param listener called on a network thread, or on the sending thread if sending
	 * fails
	 */
	static Sent of(CommandBytes bytes, Duration timeout,
			BiConsumer<@Nullable List<Object>, @Nullable Throwable> listener) {
		return new Sent(bytes, timeout) {

			@Override
			void answered(@Nullable List<Object> reply, @Nullable Throwable error) {
				listener.accept(reply, error);
			}

		};
	}

	/** Create a command that completes a future with its answer. */
	static Sent of(CommandBytes bytes, Duration timeout, CompletableFuture<List<Object>> answer) {
		return of(bytes, timeout, (reply, error) -> {
			if (error == null) {
				answer.complete(reply);
			}
			else {
				answer.completeExceptionally(error);
			}
		});
	}

	/** Send a command. If anything goes wrong, the future fails. */
	static CompletableFuture<List<Object>> ask(StatefulConnection<byte[], byte[]> connection, CommandBytes bytes,
			Duration timeout) {
		CompletableFuture<List<Object>> answer = new CompletableFuture<>();
		of(bytes, timeout, answer).on(connection);
		return answer;
	}

	/** Send several commands in one flush. If anything goes wrong, the commands fail. */
	static void dispatch(StatefulConnection<byte[], byte[]> connection, List<Sent> commands) {
		if (commands.size() == 1) {
			// For a single command, this is faster: one task of the network thread writes
			// and flushes it, not two tasks.
			commands.get(0).on(connection);
			return;
		}
		try {
			connection.dispatch(commands);
		}
		catch (Throwable ex) {
			commands.forEach((command) -> command.completeExceptionally(ex));
		}
	}

	/** Send this command. If anything goes wrong, the command fails. */
	void on(StatefulConnection<byte[], byte[]> connection) {
		try {
			connection.dispatch(this);
		}
		catch (Throwable ex) {
			completeExceptionally(ex);
		}
	}

	/** Handle the answer. Called once, on a network thread or on the sending thread. */
	abstract void answered(@Nullable List<Object> reply, @Nullable Throwable error);

	/** Return whether the server may have received this command. */
	boolean isWritten() {
		return this.written;
	}

	@Override
	public void encode(ByteBuf buffer) {
		this.written = true;
		this.bytes.writeTo(buffer);
	}

	@Override
	public void complete() {
		if (this.output.hasError()) {
			end(null, ExceptionFactory.createExecutionException(this.output.getError()));
		}
		else {
			end(this.output.get(), null);
		}
	}

	@Override
	public boolean completeExceptionally(Throwable error) {
		return end(null, error);
	}

	@Override
	public void cancel() {
		this.cancelled = true;
		end(null, new CancellationException());
	}

	private boolean end(@Nullable List<Object> reply, @Nullable Throwable error) {
		if (!this.done.compareAndSet(false, true)) {
			return false;
		}
		try {
			answered(reply, error);
		}
		catch (Throwable ex) {
			// Do not rethrow: when a connection breaks, Lettuce ends all of the commands
			// on it in one loop.
			logger.error("The answer to {} could not be handled", this, ex);
		}
		if (this.listener != null) {
			this.listener.accept(reply, error);
		}
		return true;
	}

	/** Set a listener. Lettuce sets a listener before sending, to cancel the timeout. */
	@Override
	public void onComplete(BiConsumer<? super List<Object>, Throwable> listener) {
		this.listener = listener;
	}

	@Override
	public void onComplete(Consumer<? super List<Object>> listener) {
		onComplete((reply, error) -> {
			if (error == null) {
				listener.accept(reply);
			}
		});
	}

	@Override
	public boolean isDone() {
		return this.done.get();
	}

	@Override
	public boolean isCancelled() {
		return this.cancelled;
	}

	@Override
	public CommandOutput<byte[], byte[], List<Object>> getOutput() {
		return this.output;
	}

	@Override
	public void setOutput(CommandOutput<byte[], byte[], List<Object>> output) {
		throw new UnsupportedOperationException("The output is fixed");
	}

	@Override
	public CommandType getType() {
		return this.bytes.type();
	}

	/**
	 * Return {@code null}, because Lettuce reads the arguments only of commands that
	 * change a connection or are traced. This library has no such commands.
	 */
	@Override
	public @Nullable CommandArgs<byte[], byte[]> getArgs() {
		return null;
	}

	@Override
	public String toString() {
		return this.bytes.toString();
	}

	/**
	 * Return the source that tells the client how long to wait for the answer to each
	 * command.
	 */
	static TimeoutSource timeouts() {
		return new TimeoutSource() {

			@Override
			public long getTimeout(RedisCommand<?, ?, ?> command) {
				return (command instanceof Sent sent) ? sent.timeout : 0;
			}

		};
	}

}

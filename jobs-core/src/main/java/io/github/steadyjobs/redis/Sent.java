package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;

import io.lettuce.core.TimeoutOptions.TimeoutSource;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;

/**
 * A command that is sent at most once, knows whether it was, and fails when it is not
 * answered in time.
 */
final class Sent extends AsyncCommand<byte[], byte[], List<Object>> {

	private final Duration timeout;

	private volatile boolean written;

	Sent(CommandType type, CommandArgs<byte[], byte[]> args, Duration timeout) {
		super(new Command<>(type, new ArrayOutput<>(ByteArrayCodec.INSTANCE), args));
		this.timeout = timeout;
	}

	static CommandArgs<byte[], byte[]> args() {
		return new CommandArgs<>(ByteArrayCodec.INSTANCE);
	}

	/**
	 * Return how long the client has to wait for the answer to each command.
	 */
	static TimeoutSource timeouts() {
		return new TimeoutSource() {

			@Override
			public long getTimeout(RedisCommand<?, ?, ?> command) {
				return (command instanceof Sent sent) ? sent.timeout.toMillis() : 0;
			}

		};
	}

	/**
	 * Send several commands in one flush. Whatever goes wrong becomes their answer.
	 */
	static void dispatch(StatefulConnection<byte[], byte[]> connection, List<Sent> commands) {
		try {
			if (commands.size() == 1) {
				// Written and flushed by one task of the network's thread, not by two.
				connection.dispatch(commands.get(0));
			}
			else {
				connection.dispatch(commands);
			}
		}
		catch (Throwable ex) {
			commands.forEach((command) -> command.completeExceptionally(ex));
		}
	}

	/**
	 * Send this command. Whatever goes wrong becomes its answer.
	 */
	Sent on(StatefulConnection<byte[], byte[]> connection) {
		dispatch(connection, List.of(this));
		return this;
	}

	@Override
	public void encode(ByteBuf buffer) {
		this.written = true;
		super.encode(buffer);
	}

	/**
	 * Return whether the server may have got this command.
	 */
	boolean isWritten() {
		return this.written;
	}

}

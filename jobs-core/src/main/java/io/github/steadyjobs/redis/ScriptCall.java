package io.github.steadyjobs.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * One call of a script, which may be sent more than once. Not thread safe.
 */
final class ScriptCall {

	private final JobScript script;

	private final byte[][] keys;

	private final List<Object> arguments = new ArrayList<>();

	private ScriptCall(JobScript script, byte[][] keys) {
		Assert.isTrue(keys.length == script.keys(), () -> script + " takes " + script.keys() + " keys");
		this.script = script;
		this.keys = keys;
	}

	static ScriptCall of(JobScript script, byte[]... keys) {
		return new ScriptCall(script, keys);
	}

	/**
	 * Add an argument of ASCII characters.
	 */
	ScriptCall add(String ascii) {
		this.arguments.add(ascii);
		return this;
	}

	ScriptCall add(long number) {
		this.arguments.add(number);
		return this;
	}

	ScriptCall add(byte[] bytes) {
		this.arguments.add(bytes);
		return this;
	}

	/**
	 * Send this call.
	 * @throws io.github.steadyjobs.JobStoreUnavailableException if there is no connection
	 */
	CompletableFuture<List<Object>> send(HeldConnection held) {
		return sendAll(held, List.of(this)).get(0);
	}

	/**
	 * Send several calls in one flush.
	 * @throws io.github.steadyjobs.JobStoreUnavailableException if there is no connection
	 */
	static List<CompletableFuture<List<Object>>> sendAll(HeldConnection held, List<ScriptCall> calls) {
		StatefulConnection<byte[], byte[]> connection = held.get();
		List<RedisCommand<byte[], byte[], ?>> commands = new ArrayList<>(calls.size());
		List<CompletableFuture<List<Object>>> answers = new ArrayList<>(calls.size());
		for (ScriptCall call : calls) {
			Sent command = call.byDigest();
			AsyncCommand<byte[], byte[], List<Object>> async = new AsyncCommand<>(command);
			commands.add(async);
			answers.add(call.answer(command, async, held, connection));
		}
		if (commands.size() == 1) {
			connection.dispatch(commands.get(0));
		}
		else {
			connection.dispatch(commands);
		}
		return answers;
	}

	private CompletableFuture<List<Object>> answer(Sent command, AsyncCommand<byte[], byte[], List<Object>> async,
			HeldConnection held, StatefulConnection<byte[], byte[]> connection) {
		CompletableFuture<List<Object>> answer = new CompletableFuture<>();
		async.whenComplete((reply, error) -> {
			if (error != null && RedisErrors.isScriptMissing(error)) {
				// By its text once, which also makes the server keep it.
				Sent again = byText(command);
				AsyncCommand<byte[], byte[], List<Object>> asyncAgain = new AsyncCommand<>(again);
				asyncAgain.whenComplete((second, failure) -> {
					discardIfUseless(held, connection, failure);
					complete(answer, again, second, failure, connection);
				});
				connection.dispatch(asyncAgain);
				return;
			}
			discardIfUseless(held, connection, error);
			complete(answer, command, reply, error, connection);
		});
		return answer;
	}

	private static void discardIfUseless(HeldConnection held, StatefulConnection<byte[], byte[]> connection,
			@Nullable Throwable error) {
		if (error != null && RedisErrors.wantsAnotherConnection(error)) {
			held.discard(connection);
		}
	}

	private void complete(CompletableFuture<List<Object>> answer, Sent command, List<Object> reply,
			@Nullable Throwable error, StatefulConnection<byte[], byte[]> connection) {
		if (error == null) {
			answer.complete(reply);
			return;
		}
		DamagedKeys.fail(answer,
				command.isRepeated() ? RedisErrors.translateDoubtful(error) : RedisErrors.translate(error),
				List.of(this.keys), connection);
	}

	private Sent byDigest() {
		return new Sent(CommandType.EVALSHA, arguments(this.script.digest()), 0);
	}

	/**
	 * Of the copies of the call by digest all but the last one may have found the script.
	 */
	private Sent byText(Sent byDigest) {
		return new Sent(CommandType.EVAL, arguments(this.script.source()), byDigest.copies - 1);
	}

	private CommandArgs<byte[], byte[]> arguments(byte[] script) {
		CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
		args.add(script).add(this.keys.length).addKeys(this.keys);
		for (Object argument : this.arguments) {
			if (argument instanceof byte[] bytes) {
				args.add(bytes);
			}
			else if (argument instanceof Long number) {
				args.add(number);
			}
			else {
				args.add((String) argument);
			}
		}
		return args;
	}

	/**
	 * A command that knows how often it was written: the client does so again, and tells
	 * nobody, when a connection breaks before the reply.
	 */
	private static final class Sent extends Command<byte[], byte[], List<Object>> {

		private int copies;

		Sent(CommandType type, CommandArgs<byte[], byte[]> args, int copies) {
			super(type, new ArrayOutput<>(ByteArrayCodec.INSTANCE), args);
			this.copies = copies;
		}

		@Override
		public void encode(ByteBuf buffer) {
			this.copies++;
			super.encode(buffer);
		}

		boolean isRepeated() {
			return this.copies > 1;
		}

	}

}

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
			AsyncCommand<byte[], byte[], List<Object>> command = call.byDigest();
			commands.add(command);
			answers.add(call.answer(command, held, connection));
		}
		if (commands.size() == 1) {
			connection.dispatch(commands.get(0));
		}
		else {
			connection.dispatch(commands);
		}
		return answers;
	}

	private CompletableFuture<List<Object>> answer(AsyncCommand<byte[], byte[], List<Object>> command,
			HeldConnection held, StatefulConnection<byte[], byte[]> connection) {
		CompletableFuture<List<Object>> answer = new CompletableFuture<>();
		command.whenComplete((reply, error) -> {
			if (error != null && RedisErrors.isScriptMissing(error)) {
				// By its text once, which also makes the server keep it.
				AsyncCommand<byte[], byte[], List<Object>> again = byText();
				again.whenComplete((second, failure) -> {
					discardIfUseless(held, connection, failure);
					complete(answer, second, failure);
				});
				connection.dispatch(again);
				return;
			}
			discardIfUseless(held, connection, error);
			complete(answer, reply, error);
		});
		return answer;
	}

	private static void discardIfUseless(HeldConnection held, StatefulConnection<byte[], byte[]> connection,
			@Nullable Throwable error) {
		if (error != null && RedisErrors.wantsAnotherConnection(error)) {
			held.discard(connection);
		}
	}

	private static void complete(CompletableFuture<List<Object>> answer, List<Object> reply,
			@Nullable Throwable error) {
		if (error == null) {
			answer.complete(reply);
		}
		else {
			answer.completeExceptionally(RedisErrors.translate(error));
		}
	}

	private AsyncCommand<byte[], byte[], List<Object>> byDigest() {
		return command(CommandType.EVALSHA, this.script.digest());
	}

	private AsyncCommand<byte[], byte[], List<Object>> byText() {
		return command(CommandType.EVAL, this.script.source());
	}

	private AsyncCommand<byte[], byte[], List<Object>> command(CommandType type, byte[] script) {
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
		return new AsyncCommand<>(new Command<>(type, new ArrayOutput<>(ByteArrayCodec.INSTANCE), args));
	}

}

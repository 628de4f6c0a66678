package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import org.jspecify.annotations.Nullable;

/**
 * The few single commands that need no script. Thread safe.
 */
final class PlainCommands {

	private final HeldConnection held;

	private final Duration timeout;

	PlainCommands(HeldConnection held, Duration timeout) {
		this.held = held;
		this.timeout = timeout;
	}

	CompletableFuture<List<Object>> addToSet(byte[] key, String member) {
		return send(CommandType.SADD, (args) -> args.addKey(key).add(utf8(member)));
	}

	CompletableFuture<List<Object>> removeFromSet(byte[] key, String member) {
		return send(CommandType.SREM, (args) -> args.addKey(key).add(utf8(member)));
	}

	List<String> members(byte[] key) {
		List<Object> members = Waiting.forAnswer(() -> send(CommandType.SMEMBERS, (args) -> args.addKey(key)),
				this.held, this.timeout);
		return members.stream().map(Answers::utf8).sorted().toList();
	}

	CompletableFuture<byte @Nullable []> hashValue(byte[] key, String field) {
		return send(CommandType.HGET, (args) -> args.addKey(key).add(utf8(field)))
			.thenApply((answer) -> (byte[]) answer.get(0));
	}

	CompletableFuture<List<Object>> hash(byte[] key) {
		return send(CommandType.HGETALL, (args) -> args.addKey(key));
	}

	/**
	 * Set a value that expires.
	 * @param present whether there has to be one before, or must not be any
	 * @return the answer, {@code null} in it if the value was not set
	 */
	CompletableFuture<@Nullable Object> setIf(byte[] key, String value, boolean present, Duration ttl) {
		return send(CommandType.SET,
				(args) -> args.addKey(key).add(utf8(value)).add(present ? "XX" : "NX").add("PX").add(ttl.toMillis()))
			.thenApply((answer) -> answer.get(0));
	}

	CompletableFuture<Long> hashLength(byte[] key) {
		return send(CommandType.HLEN, (args) -> args.addKey(key)).thenApply((answer) -> Answers.number(answer, 0));
	}

	/**
	 * Ask for the types of keys in one flush.
	 */
	List<CompletableFuture<String>> types(List<byte[]> keys) {
		StatefulConnection<byte[], byte[]> connection = this.held.get();
		List<RedisCommand<byte[], byte[], ?>> commands = new ArrayList<>(keys.size());
		List<CompletableFuture<String>> types = new ArrayList<>(keys.size());
		for (byte[] key : keys) {
			AsyncCommand<byte[], byte[], List<Object>> command = command(CommandType.TYPE, (args) -> args.addKey(key));
			commands.add(command);
			CompletionStage<List<Object>> answer = command;
			types.add(answer.thenApply((type) -> Answers.text(type, 0)).toCompletableFuture());
		}
		if (!commands.isEmpty()) {
			connection.dispatch(commands);
		}
		return types;
	}

	CompletableFuture<List<Object>> writeHash(byte[] key, Map<String, String> fields) {
		return send(CommandType.HSET, (args) -> {
			args.addKey(key);
			fields.forEach((field, value) -> args.add(utf8(field)).add(utf8(value)));
		});
	}

	CompletableFuture<List<Object>> expire(byte[] key, Duration ttl) {
		return send(CommandType.PEXPIRE, (args) -> args.addKey(key).add(ttl.toMillis()));
	}

	CompletableFuture<Boolean> exists(byte[] key) {
		return send(CommandType.EXISTS, (args) -> args.addKey(key))
			.thenApply((answer) -> Answers.number(answer, 0) > 0);
	}

	String type(byte[] key) {
		List<Object> answer = Waiting.forAnswer(() -> send(CommandType.TYPE, (args) -> args.addKey(key)), this.held,
				this.timeout);
		return Answers.text(answer, 0);
	}

	CompletableFuture<List<Object>> delete(byte[] key) {
		return send(CommandType.DEL, (args) -> args.addKey(key));
	}

	CompletableFuture<List<Object>> pushLeft(byte[] key, String value) {
		return send(CommandType.LPUSH, (args) -> args.addKey(key).add(value));
	}

	CompletableFuture<List<Object>> keepLeft(byte[] key, int count) {
		return send(CommandType.LTRIM, (args) -> args.addKey(key).add(0).add(count - 1));
	}

	String info(String section) {
		List<Object> answer = Waiting.forAnswer(() -> send(CommandType.INFO, (args) -> args.add(section)), this.held,
				this.timeout);
		return Answers.utf8(answer.get(0));
	}

	<T> Optional<T> await(CompletableFuture<? extends @Nullable T> answer) {
		return Optional
			.ofNullable(Waiting.<T>forAnswer(() -> answer.thenApply((value) -> value), this.held, this.timeout));
	}

	private CompletableFuture<List<Object>> send(CommandType type, Consumer<CommandArgs<byte[], byte[]>> arguments) {
		AsyncCommand<byte[], byte[], List<Object>> command = command(type, arguments);
		StatefulConnection<byte[], byte[]> connection = this.held.get();
		command.whenComplete((reply, error) -> {
			// A script that shares the connection notices itself that it is refused, and
			// should not have to wonder.
			if (error instanceof RedisCommandTimeoutException) {
				this.held.discard(connection);
			}
		});
		connection.dispatch(command);
		CompletionStage<List<Object>> answer = command;
		return answer.toCompletableFuture();
	}

	private static AsyncCommand<byte[], byte[], List<Object>> command(CommandType type,
			Consumer<CommandArgs<byte[], byte[]>> arguments) {
		CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
		arguments.accept(args);
		return new AsyncCommand<>(new Command<>(type, new ArrayOutput<>(ByteArrayCodec.INSTANCE), args));
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}

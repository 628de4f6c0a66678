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
import java.util.stream.Stream;

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
		return send(CommandType.SADD, key, utf8(member));
	}

	CompletableFuture<List<Object>> removeFromSet(byte[] key, String member) {
		return send(CommandType.SREM, key, utf8(member));
	}

	List<String> members(byte[] key) {
		List<Object> members = Waiting.forAnswer(() -> send(CommandType.SMEMBERS, key), this.held, this.timeout);
		return members.stream().map(Answers::utf8).sorted().toList();
	}

	CompletableFuture<byte @Nullable []> hashValue(byte[] key, String field) {
		return send(CommandType.HGET, key, utf8(field)).thenApply((answer) -> (byte[]) answer.get(0));
	}

	CompletableFuture<List<Object>> hashValues(byte[] key, String... fields) {
		return send(CommandType.HMGET, key, Stream.of(fields).map(PlainCommands::utf8).toArray(byte[][]::new));
	}

	CompletableFuture<List<Object>> hash(byte[] key) {
		return send(CommandType.HGETALL, key);
	}

	/**
	 * Set a value that expires.
	 * @param present whether there has to be one before, or must not be any
	 * @return the answer, {@code null} in it if the value was not set
	 */
	CompletableFuture<@Nullable Object> setIf(byte[] key, String value, boolean present, Duration ttl) {
		return send(CommandType.SET, key, utf8(value), utf8(present ? "XX" : "NX"), utf8("PX"), millis(ttl))
			.thenApply((answer) -> answer.get(0));
	}

	CompletableFuture<Long> hashLength(byte[] key) {
		return send(CommandType.HLEN, key).thenApply((answer) -> Answers.number(answer, 0));
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
		return send(CommandType.HSET, key,
				fields.entrySet()
					.stream()
					.flatMap((field) -> Stream.of(field.getKey(), field.getValue()))
					.map(PlainCommands::utf8)
					.toArray(byte[][]::new));
	}

	CompletableFuture<List<Object>> expire(byte[] key, Duration ttl) {
		return send(CommandType.PEXPIRE, key, millis(ttl));
	}

	CompletableFuture<Boolean> exists(byte[] key) {
		return send(CommandType.EXISTS, key).thenApply((answer) -> Answers.number(answer, 0) > 0);
	}

	String type(byte[] key) {
		List<Object> answer = Waiting.forAnswer(() -> send(CommandType.TYPE, key), this.held, this.timeout);
		return Answers.text(answer, 0);
	}

	CompletableFuture<List<Object>> delete(byte[] key) {
		return send(CommandType.DEL, key);
	}

	CompletableFuture<List<Object>> pushLeft(byte[] key, String value) {
		return send(CommandType.LPUSH, key, utf8(value));
	}

	String info(String section) {
		List<Object> answer = Waiting.forAnswer(
				() -> send(this.held.get(), CommandType.INFO, (args) -> args.add(section)), this.held, this.timeout);
		return Answers.utf8(answer.get(0));
	}

	<T> Optional<T> await(CompletableFuture<? extends @Nullable T> answer) {
		return Optional
			.ofNullable(Waiting.<T>forAnswer(() -> answer.thenApply((value) -> value), this.held, this.timeout));
	}

	private CompletableFuture<List<Object>> send(CommandType type, byte[] key, byte[]... arguments) {
		CompletableFuture<List<Object>> answer = new CompletableFuture<>();
		StatefulConnection<byte[], byte[]> connection = this.held.get();
		send(connection, type, (args) -> args.addKey(key).addValues(arguments)).whenComplete((reply, error) -> {
			if (error == null) {
				answer.complete(reply);
			}
			else {
				DamagedKeys.fail(answer, RedisErrors.translate(error), List.of(key), connection);
			}
		});
		return answer;
	}

	private CompletableFuture<List<Object>> send(StatefulConnection<byte[], byte[]> connection, CommandType type,
			Consumer<CommandArgs<byte[], byte[]>> arguments) {
		AsyncCommand<byte[], byte[], List<Object>> command = command(type, arguments);
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

	private static byte[] millis(Duration duration) {
		return utf8(Long.toString(duration.toMillis()));
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}

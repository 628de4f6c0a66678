package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

/**
 * The few single commands that need no script. Thread safe.
 */
final class PlainCommands {

	private final NodeConnections connections;

	private final Duration timeout;

	PlainCommands(NodeConnections connections, Duration timeout) {
		this.connections = connections;
		this.timeout = timeout;
	}

	CompletableFuture<List<Object>> addToSet(byte[] key, String member) {
		return send(CommandType.SADD, key, (args) -> args.add(utf8(member)));
	}

	CompletableFuture<List<Object>> removeFromSet(byte[] key, String member) {
		return send(CommandType.SREM, key, (args) -> args.add(utf8(member)));
	}

	List<String> members(byte[] key) {
		List<Object> members = Waiting.send(() -> send(CommandType.SMEMBERS, key, (args) -> {
		}), this.timeout);
		return members.stream().map(Answers::utf8).sorted().toList();
	}

	/**
	 * Read a field of several hashes, in one flush a node.
	 */
	List<CompletableFuture<byte @Nullable []>> hashValues(List<byte[]> keys, String field) {
		List<CompletableFuture<byte @Nullable []>> values = new ArrayList<>(keys.size());
		for (RedisCall answer : sendAll(CommandType.HGET, keys, (args) -> args.add(utf8(field)))) {
			values.add(answer.thenApply((value) -> (byte[]) value.get(0)));
		}
		return values;
	}

	/**
	 * Read two fields of several hashes, in one flush a node.
	 */
	List<? extends CompletableFuture<List<Object>>> hashValues(List<byte[]> keys, String first, String second) {
		return sendAll(CommandType.HMGET, keys, (args) -> args.add(utf8(first)).add(utf8(second)));
	}

	/**
	 * Read several hashes, in one flush a node.
	 */
	List<? extends CompletableFuture<List<Object>>> hashes(List<byte[]> keys) {
		return sendAll(CommandType.HGETALL, keys, (args) -> {
		});
	}

	/**
	 * Set a value that expires.
	 * @param present whether there has to be one before, or must not be any
	 * @return the answer, {@code null} in it if the value was not set
	 */
	CompletableFuture<@Nullable Object> setIf(byte[] key, String value, boolean present, Duration ttl) {
		return send(CommandType.SET, key,
				(args) -> args.add(utf8(value)).add(present ? "XX" : "NX").add("PX").add(ttl.toMillis()))
			.thenApply((answer) -> answer.get(0));
	}

	/**
	 * Count the fields of several hashes, in one flush a node.
	 */
	List<CompletableFuture<Long>> hashLengths(List<byte[]> keys) {
		List<CompletableFuture<Long>> lengths = new ArrayList<>(keys.size());
		for (RedisCall answer : sendAll(CommandType.HLEN, keys, (args) -> {
		})) {
			lengths.add(answer.thenApply((length) -> Answers.number(length, 0)));
		}
		return lengths;
	}

	/**
	 * Ask for the types of several keys, in one flush a node.
	 */
	List<CompletableFuture<String>> types(List<byte[]> keys) {
		List<CompletableFuture<String>> types = new ArrayList<>(keys.size());
		for (RedisCall answer : sendAll(CommandType.TYPE, keys, (args) -> {
		})) {
			types.add(answer.thenApply((type) -> Answers.text(type, 0)));
		}
		return types;
	}

	CompletableFuture<List<Object>> writeHash(byte[] key, Map<String, String> fields) {
		return send(CommandType.HSET, key,
				(args) -> fields.forEach((field, value) -> args.add(utf8(field)).add(utf8(value))));
	}

	CompletableFuture<List<Object>> expire(byte[] key, Duration ttl) {
		return send(CommandType.PEXPIRE, key, (args) -> args.add(ttl.toMillis()));
	}

	CompletableFuture<Boolean> exists(byte[] key) {
		return send(CommandType.EXISTS, key, (args) -> {
		}).thenApply((answer) -> Answers.number(answer, 0) > 0);
	}

	CompletableFuture<List<Object>> delete(byte[] key) {
		return send(CommandType.DEL, key, (args) -> {
		});
	}

	CompletableFuture<List<Object>> pushLeft(byte[] key, String value) {
		return send(CommandType.LPUSH, key, (args) -> args.add(value));
	}

	CompletableFuture<List<Object>> keepLeft(byte[] key, int count) {
		return send(CommandType.LTRIM, key, (args) -> args.add(0).add(count - 1));
	}

	/**
	 * Ask the server or, in a cluster, the node that serves a key about itself.
	 */
	String info(byte[] key, String section) {
		List<Object> answer = Waiting.send(
				() -> this.connections
					.send((byText) -> new Sent(CommandType.INFO, Sent.args().add(section), this.timeout), key),
				this.timeout);
		return Answers.utf8(answer.get(0));
	}

	/**
	 * Return the {@link System#nanoTime()} at which to give up what is sent now.
	 */
	long deadline() {
		return System.nanoTime() + this.timeout.toNanos();
	}

	<T> T await(CompletableFuture<T> answer) {
		return Waiting.await(answer, this.timeout);
	}

	private RedisCall send(CommandType type, byte[] key, Consumer<CommandArgs<byte[], byte[]>> arguments) {
		return sendAll(type, List.of(key), arguments).get(0);
	}

	private List<RedisCall> sendAll(CommandType type, List<byte[]> keys,
			Consumer<CommandArgs<byte[], byte[]>> arguments) {
		List<RedisCall> calls = new ArrayList<>(keys.size());
		for (byte[] key : keys) {
			CommandArgs<byte[], byte[]> args = Sent.args().addKey(key);
			arguments.accept(args);
			calls.add(new RedisCall((byText) -> new Sent(type, args, this.timeout), List.of(key), this.connections));
		}
		this.connections.send(calls);
		return calls;
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}

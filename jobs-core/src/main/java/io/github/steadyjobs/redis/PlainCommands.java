package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

/**
 * Sends the few commands that need no script. Commands for several keys are sent in one
 * flush per node. Thread safe.
 */
public final class PlainCommands {

	private final NodeConnections connections;

	private final Duration timeout;

	PlainCommands(NodeConnections connections, Duration timeout) {
		this.connections = connections;
		this.timeout = timeout;
	}

	public List<String> members(byte[] key) {
		return Attempts.ask(() -> send(CommandType.SMEMBERS, key), this.timeout)
			.stream()
			.map(Answers::utf8)
			.sorted()
			.toList();
	}

	public CompletableFuture<List<Object>> addMember(byte[] key, String member) {
		return send(CommandType.SADD, key, member);
	}

	public CompletableFuture<List<Object>> removeMember(byte[] key, String member) {
		return send(CommandType.SREM, key, member);
	}

	public CompletableFuture<List<Object>> delete(byte[] key) {
		return send(CommandType.DEL, key);
	}

	public CompletableFuture<List<Object>> setField(byte[] key, String field, String value) {
		return send(CommandType.HSET, key, field, value);
	}

	public List<CompletableFuture<byte @Nullable []>> hashValues(List<byte[]> keys, String field) {
		List<CompletableFuture<byte @Nullable []>> values = new ArrayList<>(keys.size());
		sendAll(CommandType.HGET, keys, field)
			.forEach((answer) -> values.add(answer.thenApply((value) -> (byte[]) value.get(0))));
		return values;
	}

	public List<? extends CompletableFuture<List<Object>>> hashValues(List<byte[]> keys, String first, String second) {
		return sendAll(CommandType.HMGET, keys, first, second);
	}

	public List<? extends CompletableFuture<List<Object>>> hashes(List<byte[]> keys) {
		return sendAll(CommandType.HGETALL, keys);
	}

	public List<CompletableFuture<Long>> hashLengths(List<byte[]> keys) {
		List<CompletableFuture<Long>> lengths = new ArrayList<>(keys.size());
		sendAll(CommandType.HLEN, keys)
			.forEach((answer) -> lengths.add(answer.thenApply((length) -> Answers.number(length, 0))));
		return lengths;
	}

	List<CompletableFuture<String>> types(List<byte[]> keys) {
		List<CompletableFuture<String>> types = new ArrayList<>(keys.size());
		sendAll(CommandType.TYPE, keys)
			.forEach((answer) -> types.add(answer.thenApply((type) -> Answers.text(type, 0))));
		return types;
	}

	/**
	 * Set a value that expires.
	 * @param present {@code true} if the key must exist already, {@code false} if it must
	 * not exist
	 * @return the answer, which is {@code null} if the value was not set
	 */
	public CompletableFuture<@Nullable Object> setIf(byte[] key, String value, boolean present, Duration ttl) {
		return send(CommandType.SET, key, value, present ? "XX" : "NX", "PX", ttl.toMillis())
			.thenApply((answer) -> answer.get(0));
	}

	public CompletableFuture<Boolean> exists(byte[] key) {
		return send(CommandType.EXISTS, key).thenApply((answer) -> Answers.number(answer, 0) > 0);
	}

	/**
	 * Read the members that have scores in a given range from a sorted set, in the order
	 * of their scores. Scores are not returned, because their form differs between
	 * versions of the protocol.
	 */
	public CompletableFuture<List<Object>> membersBetween(byte[] key, long from, long to, int most) {
		return send(CommandType.ZRANGE, key, from, to, "BYSCORE", "LIMIT", 0, most);
	}

	/** Read the elements of a list from one position to another, inclusive. */
	public List<Object> range(byte[] key, long first, long last) {
		return Attempts.ask(() -> send(CommandType.LRANGE, key, first, last), this.timeout);
	}

	/**
	 * Read a section of {@code INFO} from the server or, in a cluster, from the node that
	 * serves a key.
	 */
	Map<String, String> info(byte[] key, String section) {
		CommandBytes info = new CommandBytes(CommandType.INFO).add(section);
		List<Object> answer = Attempts.ask(() -> {
			RedisCall call = new RedisCall((byText) -> info, this.timeout, this.connections, key);
			call.send(this.connections);
			return call;
		}, this.timeout);
		return Answers.info(answer);
	}

	/** Return the {@link System#nanoTime()} at which to give up a call made now. */
	public long deadline() {
		return System.nanoTime() + this.timeout.toNanos();
	}

	public <T> T await(CompletableFuture<T> answer) {
		return Answers.await(answer, this.timeout);
	}

	/**
	 * Send a command for one key.
	 * @param arguments texts and whole numbers
	 */
	RedisCall send(CommandType type, byte[] key, Object... arguments) {
		return sendAll(type, List.of(key), arguments).get(0);
	}

	/**
	 * Send a command for each key.
	 * @param arguments texts and whole numbers
	 */
	private List<RedisCall> sendAll(CommandType type, List<byte[]> keys, Object... arguments) {
		List<RedisCall> calls = new ArrayList<>(keys.size());
		for (byte[] key : keys) {
			CommandBytes bytes = new CommandBytes(type).add(key);
			for (Object argument : arguments) {
				bytes.add(argument.toString().getBytes(StandardCharsets.UTF_8));
			}
			calls.add(new RedisCall((byText) -> bytes, this.timeout, this.connections, key));
		}
		RedisCall.sendAll(this.connections, calls);
		return calls;
	}

}

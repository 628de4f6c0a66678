package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;

import io.github.steadyjobs.JobStoreException;

/**
 * Sends the calls of a store, for keys with one prefix. Stores of other modules use this
 * class too. Methods that wait for an answer throw a {@link JobStoreException} if Redis
 * refused the call, is not reachable or did not answer in time. Thread safe.
 */
public final class StoreCalls {

	private final NodeConnections connections;

	private final Duration timeout;

	private final KeySpace keys;

	private final PlainCommands commands;

	private StoreCalls(NodeConnections connections, KeySpace keys, Duration timeout) {
		this.connections = connections;
		this.timeout = timeout;
		this.keys = keys;
		this.commands = new PlainCommands(connections, timeout);
	}

	/**
	 * Create calls on behalf of the application. These calls have the same timeout as the
	 * application's own commands.
	 * @param prefix the prefix of all keys
	 */
	public static StoreCalls of(RedisConnections connections, String prefix) {
		return new StoreCalls(connections.commands(), connections.keys(prefix), connections.commandTimeout());
	}

	/**
	 * Create calls for work in the background. These calls time out after at most 5
	 * seconds.
	 * @param prefix the prefix of all keys
	 */
	public static StoreCalls inBackground(RedisConnections connections, String prefix) {
		return new StoreCalls(connections.commands(), connections.keys(prefix), connections.shortTimeout());
	}

	/** Create calls on the connection for heartbeats, which no other traffic delays. */
	public static StoreCalls ofBeats(RedisConnections connections, String prefix) {
		return new StoreCalls(connections.beats(), connections.keys(prefix), connections.shortTimeout());
	}

	/** Create calls on the connection for large pushes. */
	public static StoreCalls ofBulk(RedisConnections connections, String prefix) {
		return new StoreCalls(connections.bulk(), connections.keys(prefix), connections.commandTimeout());
	}

	public KeySpace keys() {
		return this.keys;
	}

	/** Return how long a call may take. */
	public Duration timeout() {
		return this.timeout;
	}

	public PlainCommands commands() {
		return this.commands;
	}

	/**
	 * Return the names of all queues that have received jobs. Queues that have been
	 * unused for an hour are left out.
	 * @return the valid names, each shard separately
	 */
	public List<String> queues() {
		return this.keys.queues(this.commands.members(this.keys.queueNames()));
	}

	/** Return the key of the given part for each queue. */
	public List<byte[]> keys(Collection<String> queues, QueuePart part) {
		return queues.stream().map((queue) -> this.keys.queue(queue).get(part)).toList();
	}

	/** Add a queue to the set of known queues, and wait for the answer. */
	public void makeKnown(String queue) {
		this.commands.await(register(queue));
	}

	/**
	 * Add a queue to the set of known queues. Does not wait for the answer. The server
	 * carries this out before all calls that are sent later on the same connection.
	 */
	public CompletableFuture<List<Object>> register(String queue) {
		return this.commands.addMember(this.keys.queueNames(), queue);
	}

	/**
	 * Create a call of a script with the keys of a queue.
	 * @throws IllegalArgumentException if the name of the queue is not valid
	 */
	public ScriptCall to(JobScript script, String queue) {
		return ScriptCall.of(script, this.keys.queue(queue));
	}

	/** Send a call, and send it again if its connection breaks. Waits for the answer. */
	public List<Object> run(ScriptCall call) {
		return Attempts.ask(() -> sendCopy(call, this.timeout), this.timeout);
	}

	/**
	 * Send a call. Neither blocks nor throws. If the connection breaks before the answer
	 * arrives, the call is sent once more.
	 * @return a future that completes within twice the timeout, with the answer or a
	 * {@link JobStoreException} that says why there is no answer
	 */
	public CompletableFuture<List<Object>> send(ScriptCall call) {
		return send(call, this.timeout);
	}

	/** Send a call like {@link #send(ScriptCall)}, with another timeout. */
	public CompletableFuture<List<Object>> send(ScriptCall call, Duration timeout) {
		return call.send(this.connections, timeout);
	}

	/**
	 * Send one of several copies of a call.
	 * @param timeout how long the copy may be under way
	 */
	RedisCall sendCopy(ScriptCall copy, Duration timeout) {
		return copy.send(this.connections, this.connections.ofOneCopy(timeout));
	}

	/**
	 * Send several calls in one flush per node, each like {@link #send}.
	 * @return the answers, independent of each other
	 */
	public List<? extends CompletableFuture<List<Object>>> sendAll(List<ScriptCall> calls) {
		return ScriptCall.sendAll(this.connections, calls, this.timeout);
	}

	/** Run a call whose answer is a single text. */
	public String text(ScriptCall call) {
		return Answers.text(run(call), 0);
	}

	/** Run a call whose answer is a single number. */
	public long number(ScriptCall call) {
		return Answers.number(run(call), 0);
	}

	/**
	 * Send a call for each queue, in one flush per node, and wait for all answers.
	 * @return the answers by queue, in the given order
	 */
	public Map<String, List<Object>> runAll(Collection<String> queues, Function<String, ScriptCall> maker) {
		return runAll(queues, maker, (queue, failure) -> {
			throw failure;
		});
	}

	/**
	 * Send a call for each queue, in one flush per node, and wait for all answers.
	 * @param failed called for each queue whose call failed or was not answered
	 * @return the answers by queue, in the given order, without the queues that were
	 * passed to {@code failed}
	 */
	public Map<String, List<Object>> runAll(Collection<String> queues, Function<String, ScriptCall> maker,
			BiConsumer<String, JobStoreException> failed) {
		List<String> names = List.copyOf(queues);
		return Answers.awaitAll(names, sendAll(names.stream().map(maker).toList()), this.commands.deadline(), failed);
	}

	/**
	 * Send calls that must not be repeated, in one flush per node. Neither blocks nor
	 * throws.
	 * @return a future that completes when all calls have been answered, and fails if a
	 * call was not carried out or may not have been carried out
	 */
	public CompletableFuture<Void> sendOnce(List<ScriptCall> calls) {
		List<RedisCall> sent = calls.stream()
			.map((call) -> call.withRoute(this.connections, this.timeout).neverRepeated())
			.toList();
		RedisCall.sendAll(this.connections, sent);
		return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new));
	}

}

package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.steadyjobs.redis.KeySpace.QueueKeys;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits in Redis until one of several queues may have jobs. Sends {@code BLPOP} on a
 * separate connection or, in a cluster, on a separate connection for each queue.
 * <p>
 * Only hints are popped, never jobs, so a lost hint loses no job. Used by one thread at a
 * time, except that another thread may call {@link #close()}.
 */
public final class BlockingPop implements AutoCloseable {

	/** The maximum length of a wait, limited so that a dead connection is noticed. */
	public static final Duration BLOCK = Duration.ofSeconds(2);

	private static final Logger logger = LoggerFactory.getLogger(BlockingPop.class);

	private static final int MOST_TOKENS = 3;

	static final Duration COMMAND_TIMEOUT = BLOCK.plusSeconds(2);

	/**
	 * The pause after a refusal or a failure to connect. Refusals and failures can be
	 * immediate, so waiting again without a pause would be a busy loop.
	 */
	private static final Duration AFTER_FAILURE = Duration.ofMillis(500);

	/**
	 * How long a queue is left out if its {@code wake} key does not hold a list.
	 * Meanwhile, polling finds the jobs of the queue.
	 */
	private static final Duration AFTER_DAMAGE = Duration.ofSeconds(5);

	private final RedisConnections connections;

	private final PlainCommands commands;

	private final List<QueueKeys> queues;

	private final List<Line> lines;

	private final Set<String> leftOut = new HashSet<>();

	private volatile boolean closed;

	/**
	 * Create a waiter. No connection is opened yet.
	 * @param prefix the prefix of all keys
	 * @param queues the queues or parts of queues, at least one
	 */
	public BlockingPop(RedisConnections connections, String prefix, List<String> queues) {
		this.connections = connections;
		this.commands = new PlainCommands(connections.commands(), COMMAND_TIMEOUT);
		this.queues = queues.stream().map(connections.keys(prefix)::queue).toList();
		this.lines = connections.isCluster() ? this.queues.stream().map((queue) -> new Line(List.of(queue))).toList()
				: List.of(new Line(this.queues));
	}

	/**
	 * Start waiting for all queues for which no wait is under way. Neither blocks nor
	 * throws. If no connection can be opened, the wait soon ends, and the next wait can
	 * begin half a second later.
	 * @param listener called on a network thread with the name of the queue to check, or
	 * {@code null} if the wait ends without a hint
	 */
	public void listen(Consumer<@Nullable String> listener) {
		if (!this.closed) {
			this.lines.forEach((line) -> line.listen(listener));
		}
	}

	/** Return whether all queues are being waited for, so that no hint is missed. */
	public boolean isListening() {
		return ofAll((line) -> line.waiting);
	}

	/**
	 * Return whether hints about all queues are received, or will be received after
	 * {@link #listen}. Returns {@code false} if the last wait failed, because a hint may
	 * have been lost.
	 */
	public boolean isReady() {
		return ofAll((line) -> line.waiting || !line.failed);
	}

	private boolean ofAll(Predicate<Line> condition) {
		for (Line line : this.lines) {
			if (!condition.test(line)) {
				return false;
			}
		}
		return !this.closed;
	}

	/**
	 * Leave out a queue from the next wait on, so that its hints go to other processes,
	 * which may be able to use them.
	 */
	public void leaveOut(String queue) {
		this.leftOut.add(queue);
	}

	/**
	 * Follow a hint: send a call on the connection that delivered the hint. That
	 * connection is free until the next wait, and its own thread sends the call and reads
	 * the answer. If the call has to be sent again, it is sent like any other call, but
	 * only after this copy is known to have failed.
	 * @param call creates the call
	 * @return the answer, as from {@link StoreCalls#send}, or {@code null} if no hint
	 * about the queue has just arrived
	 */
	public @Nullable CompletableFuture<List<Object>> follow(String queue, Supplier<ScriptCall> call) {
		for (Line line : this.lines) {
			for (QueueKeys keys : line.queues) {
				if (keys.queue().equals(queue)) {
					return line.follow(call);
				}
			}
		}
		return null;
	}

	/** Give an unused hint back to Redis. Does not wait for the answer. */
	public void putBack(String queue) {
		this.queues.stream().filter((keys) -> keys.queue().equals(queue)).forEach((keys) -> {
			this.commands.send(CommandType.LPUSH, keys.get(QueuePart.WAKE), 1);
			this.commands.send(CommandType.LTRIM, keys.get(QueuePart.WAKE), 0, MOST_TOKENS - 1);
		});
	}

	/** End every wait immediately. Calls that are under way are still answered. */
	@Override
	public void close() {
		this.closed = true;
		this.lines
			.forEach((line) -> line.call.whenComplete((answer, error) -> this.connections.closeBlocking(line.held)));
	}

	/** A connection, and the queues for whose hints the connection waits. */
	private final class Line {

		private final HeldConnection held;

		private final List<QueueKeys> queues;

		private final Set<String> logged = ConcurrentHashMap.newKeySet();

		private final Map<String, Long> damaged = new ConcurrentHashMap<>();

		private volatile long pausedUntil = System.nanoTime();

		private volatile boolean waiting;

		private volatile boolean failed;

		/** The connection that delivered the last hint, if it has not been used since. */
		private volatile @Nullable StatefulConnection<byte[], byte[]> free;

		private volatile CompletableFuture<?> call = CompletableFuture.completedFuture(null);

		Line(List<QueueKeys> queues) {
			this.held = BlockingPop.this.connections.blocking(queues.get(0).get(QueuePart.WAKE));
			this.queues = queues;
		}

		/** Start a wait, unless a wait is under way or the last failure is too recent. */
		void listen(Consumer<@Nullable String> listener) {
			long now = System.nanoTime();
			if (this.waiting || now - this.pausedUntil < 0) {
				return;
			}
			List<QueueKeys> sound = sound(now);
			if (!sound.isEmpty()) {
				this.waiting = true;
				this.free = null;
				this.held.connection().whenComplete((connection, unavailable) -> {
					if (BlockingPop.this.closed) {
						// A connection that was just being opened would otherwise stay
						// open.
						this.held.close();
						listener.accept(null);
					}
					else if (unavailable != null) {
						over(unavailable, true);
						listener.accept(null);
					}
					else {
						pop(sound, listener, connection);
					}
				});
			}
		}

		private List<QueueKeys> sound(long now) {
			Set<String> leftOut = BlockingPop.this.leftOut;
			if (leftOut.isEmpty() && this.damaged.isEmpty()) {
				return this.queues;
			}
			this.damaged.values().removeIf((until) -> now - until >= 0);
			return this.queues.stream()
				.filter((queue) -> !leftOut.contains(queue.queue()) && !this.damaged.containsKey(queue.queue()))
				.toList();
		}

		private void pop(List<QueueKeys> sound, Consumer<@Nullable String> listener,
				StatefulConnection<byte[], byte[]> connection) {
			CommandBytes pop = new CommandBytes(CommandType.BLPOP);
			sound.forEach((queue) -> pop.add(queue.get(QueuePart.WAKE)));
			pop.add(BLOCK.toSeconds());
			// A longer wait means that the connection is dead, or that the clock of the
			// server was set back.
			Sent.of(pop, COMMAND_TIMEOUT, (found, error) -> {
				if (error != null && (RedisErrors.wantsAnotherConnection(error) || RedisErrors.isElsewhere(error))) {
					this.held.discard(connection);
				}
				boolean hint = error == null && found.size() == 2;
				this.free = hint ? connection : null;
				over(error, error instanceof RedisCommandExecutionException);
				listener.accept(hint ? queueOf((byte[]) found.get(0)) : null);
			}).on(connection);
		}

		@Nullable CompletableFuture<List<Object>> follow(Supplier<ScriptCall> call) {
			StatefulConnection<byte[], byte[]> connection = this.free;
			this.free = null;
			if (connection == null || BlockingPop.this.closed || !connection.isOpen()) {
				return null;
			}
			RedisConnections connections = BlockingPop.this.connections;
			RedisCall sent = call.get().withRoute(connections.commands(), connections.shortTimeout());
			this.call = sent;
			sent.sendOn(this.held, connection);
			return sent;
		}

		private void over(@Nullable Throwable error, boolean pause) {
			if (pause) {
				this.pausedUntil = System.nanoTime() + AFTER_FAILURE.toNanos();
			}
			if (error != null) {
				BlockingPop.this.connections.nodesChanged();
				if (RedisErrors.isWrongType(error)) {
					findDamaged();
				}
			}
			this.failed = error != null;
			this.waiting = false;
		}

		/** Find the keys of a wrong type, because the error does not name these keys. */
		private void findDamaged() {
			List<CompletableFuture<String>> types = BlockingPop.this.commands
				.types(this.queues.stream().map((queue) -> queue.get(QueuePart.WAKE)).toList());
			for (int i = 0; i < types.size(); i++) {
				String queue = this.queues.get(i).queue();
				// If there is no answer, the type is read again after the next refusal.
				types.get(i).thenAccept((type) -> judge(queue, type));
			}
		}

		private void judge(String queue, String type) {
			if (!type.equals("list") && !type.equals("none")) {
				this.damaged.put(queue, System.nanoTime() + AFTER_DAMAGE.toNanos());
				if (this.logged.add(queue)) {
					logger.warn("The key 'wake' of queue {} holds a {} where a list belongs, so workers look there "
							+ "only every few seconds. Delete the key", queue, type);
				}
			}
		}

		private @Nullable String queueOf(byte[] wakeKey) {
			for (QueueKeys queue : this.queues) {
				if (Arrays.equals(queue.get(QueuePart.WAKE), wakeKey)) {
					return queue.queue();
				}
			}
			return null;
		}

	}

}

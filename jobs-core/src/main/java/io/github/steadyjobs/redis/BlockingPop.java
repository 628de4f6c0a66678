package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
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
 * Only hints are popped, never jobs, so a lost hint loses no job. A call can be sent
 * along with a wait: Redis carries the call out when the wait ends, without another round
 * trip. If the connection breaks during the wait, the call is not carried out there, and
 * is sent again like any other call. Used by one thread at a time, except that another
 * thread may call {@link #close()}.
 */
public final class BlockingPop implements AutoCloseable {

	/** The maximum length of a wait, limited so that a dead connection is noticed. */
	public static final Duration BLOCK = Duration.ofSeconds(2);

	private static final Logger logger = LoggerFactory.getLogger(BlockingPop.class);

	private static final int MOST_TOKENS = 3;

	/**
	 * The maximum number of calls that are sent along with one wait. All of them are
	 * carried out when the wait ends, even if only one queue has jobs.
	 */
	private static final int MOST_ALONG = 4;

	static final Duration COMMAND_TIMEOUT = BLOCK.plusSeconds(2);

	/**
	 * The pause after a refusal or a failure to connect. Refusals and failures can be
	 * immediate, so waiting again without a pause would be a busy loop.
	 */
	private static final Duration AFTER_FAILURE = Duration.ofMillis(500);

	/**
	 * How long a queue is left out if its {@code wake} key does not hold a list.
	 * Meanwhile, heartbeats report that the queue has jobs.
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
	 * {@code null} if the wait ends without a hint. Not called if calls were sent along
	 * and the wait ends without a failure, unless there is a hint for a queue for which
	 * no call was sent along
	 * @param along returns the call to send along with the wait for a queue, or
	 * {@code null}. Called on the current thread, for one queue after another, until a
	 * wait has four calls. Not called for a wait that has to open a connection first
	 */
	public void listen(Consumer<@Nullable String> listener, Function<String, @Nullable CallAlong> along) {
		if (!this.closed) {
			for (Line line : this.lines) {
				line.listen(listener, along);
			}
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
	 * @return the answer, as from {@link StoreCalls#send}, or {@code null} if no hint has
	 * just arrived on the connection that waits for the queue
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

	/**
	 * End every wait immediately. Calls that {@link #follow} has sent are still answered.
	 * Calls that were sent along with a wait fail.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.lines
			.forEach((line) -> line.call.whenComplete((answer, error) -> this.connections.closeBlocking(line.held)));
	}

	/** A call that is sent along with a wait. */
	public interface CallAlong {

		/** Create the call. */
		ScriptCall call();

		/**
		 * Handle the answer. Called once, on any thread.
		 * @param hinted whether the wait has ended with a hint for the queue of this call
		 * @param answer the answer, or {@code null} if there is none
		 * @param failure why there is no answer, as from {@link StoreCalls#send}
		 */
		void answered(boolean hinted, @Nullable List<Object> answer, @Nullable Throwable failure);

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
		void listen(Consumer<@Nullable String> listener, Function<String, @Nullable CallAlong> along) {
			long now = System.nanoTime();
			if (this.waiting || now - this.pausedUntil < 0) {
				return;
			}
			List<QueueKeys> sound = sound(now);
			if (!sound.isEmpty()) {
				this.waiting = true;
				this.free = null;
				begin(this.held.present(), sound, listener, along);
			}
		}

		/**
		 * Send a wait, or open a connection first. If this fails, for example because
		 * memory is exhausted, the wait ends. Otherwise, this line would never wait
		 * again.
		 */
		private void begin(@Nullable StatefulConnection<byte[], byte[]> connection, List<QueueKeys> sound,
				Consumer<@Nullable String> listener, Function<String, @Nullable CallAlong> along) {
			try {
				if (connection != null) {
					new Wait(this, connection, listener).send(sound, along);
				}
				else {
					open(sound, listener);
				}
			}
			catch (Throwable ex) {
				over(ex, true);
				listener.accept(null);
			}
		}

		/**
		 * Open a connection. When the connection is open, a network thread sends the
		 * wait.
		 */
		private void open(List<QueueKeys> sound, Consumer<@Nullable String> listener) {
			this.held.connection().whenComplete((connection, unavailable) -> {
				if (BlockingPop.this.closed) {
					// A connection that was just being opened would otherwise stay open.
					this.held.close();
					listener.accept(null);
				}
				else if (unavailable != null) {
					over(unavailable, true);
					listener.accept(null);
				}
				else {
					begin(connection, sound, listener, (queue) -> null);
				}
			});
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
			try {
				if (error != null) {
					BlockingPop.this.connections.nodesChanged();
					if (RedisErrors.isWrongType(error)) {
						findDamaged();
					}
				}
			}
			finally {
				this.failed = error != null;
				this.waiting = false;
			}
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

	/**
	 * One wait of a line, and the calls that were sent along. The wait is over when the
	 * pop and all of these calls have been answered or have failed, because only then is
	 * it known which calls to send along with the next wait.
	 */
	private final class Wait {

		private final Line line;

		private final StatefulConnection<byte[], byte[]> connection;

		private final Consumer<@Nullable String> listener;

		private final Set<String> along = new HashSet<>(MOST_ALONG);

		private final AtomicInteger missing = new AtomicInteger();

		private volatile @Nullable String hint;

		private volatile @Nullable Throwable error;

		Wait(Line line, StatefulConnection<byte[], byte[]> connection, Consumer<@Nullable String> listener) {
			this.line = line;
			this.connection = connection;
			this.listener = listener;
		}

		void send(List<QueueKeys> queues, Function<String, @Nullable CallAlong> along) {
			List<Sent> commands = new ArrayList<>(2);
			commands.add(pop(queues));
			Throwable failure = null;
			try {
				for (int i = 0; i < queues.size() && commands.size() <= MOST_ALONG; i++) {
					String queue = queues.get(i).queue();
					CallAlong call = along.apply(queue);
					if (call != null) {
						commands.add(behind(queue, call));
					}
				}
			}
			catch (Throwable ex) {
				failure = ex;
			}
			this.missing.set(commands.size());
			if (failure == null) {
				Sent.dispatch(this.connection, commands);
			}
			else {
				// The wait must end. Otherwise this line would never wait again.
				for (Sent command : commands) {
					command.completeExceptionally(failure);
				}
			}
		}

		private Sent pop(List<QueueKeys> queues) {
			CommandBytes pop = new CommandBytes(CommandType.BLPOP);
			for (QueueKeys queue : queues) {
				pop.add(queue.get(QueuePart.WAKE));
			}
			pop.add(BLOCK.toSeconds());
			// A longer wait means that the connection is dead, or that the clock of the
			// server was set back.
			return Sent.of(pop, COMMAND_TIMEOUT, this::popped);
		}

		private Sent behind(String queue, CallAlong along) {
			RedisConnections connections = BlockingPop.this.connections;
			Duration timeout = connections.shortTimeout();
			RedisCall call = along.call().withRoute(connections.commands(), timeout);
			call.whenComplete((answer, failure) -> along.answered(queue.equals(this.hint), answer, failure));
			this.along.add(queue);
			return call.behind(this.line.held, this.connection, COMMAND_TIMEOUT.plus(timeout), this::arrived);
		}

		private void popped(@Nullable List<Object> found, @Nullable Throwable error) {
			if (error != null && (RedisErrors.wantsAnotherConnection(error) || RedisErrors.isElsewhere(error))) {
				this.line.held.discard(this.connection);
			}
			if (found != null && found.size() == 2) {
				this.hint = this.line.queueOf((byte[]) found.get(0));
				this.line.free = this.connection;
			}
			this.error = error;
			arrived();
		}

		private void arrived() {
			if (this.missing.decrementAndGet() == 0) {
				Throwable error = this.error;
				this.line.over(error, error instanceof RedisCommandExecutionException);
				String hint = this.hint;
				if (this.along.isEmpty() || error != null || (hint != null && !this.along.contains(hint))) {
					this.listener.accept(hint);
				}
			}
		}

	}

}

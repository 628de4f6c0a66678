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

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of a {@link WakeLine}, and the queues that it waits for. Used by one
 * thread.
 */
final class WaitingLine {

	private static final Logger logger = LoggerFactory.getLogger(WaitingLine.class);

	/**
	 * How long nothing is waited for after a refusal or without a connection, which is
	 * known at once: a loop would go round as fast as it could.
	 */
	private static final Duration AFTER_FAILURE = Duration.ofMillis(500);

	/**
	 * How long a queue is left out whose key holds no list. Its jobs are found by looking
	 * meanwhile.
	 */
	private static final Duration AFTER_DAMAGE = Duration.ofSeconds(5);

	private final RedisConnections connections;

	private final HeldConnection held;

	private final List<QueueKeys> queues;

	private final Set<String> leftOut = new HashSet<>();

	private final Set<String> told = ConcurrentHashMap.newKeySet();

	private final Map<String, Long> damaged = new ConcurrentHashMap<>();

	private volatile long restUntil = System.nanoTime();

	private volatile boolean waiting;

	private volatile boolean closed;

	WaitingLine(RedisConnections connections, List<QueueKeys> queues) {
		this.connections = connections;
		this.held = connections.waiting(queues.get(0).get(QueuePart.WAKE));
		this.queues = List.copyOf(queues);
	}

	void leaveOut(String queue) {
		this.leftOut.add(queue);
	}

	/**
	 * Wait, unless a wait is under way already, or a refusal is too recent.
	 */
	void listen(Consumer<@Nullable String> listener) {
		long now = System.nanoTime();
		if (this.waiting || now - this.restUntil < 0) {
			return;
		}
		this.damaged.values().removeIf((until) -> now - until >= 0);
		List<QueueKeys> sound = this.queues.stream()
			.filter((queue) -> !this.leftOut.contains(queue.queue()))
			.filter((queue) -> !this.damaged.containsKey(queue.queue()))
			.toList();
		if (!sound.isEmpty()) {
			this.waiting = true;
			send(sound, listener);
		}
	}

	/**
	 * Return whether a wait is under way.
	 */
	boolean isListening() {
		return this.waiting;
	}

	private void send(List<QueueKeys> sound, Consumer<@Nullable String> listener) {
		this.held.connection().whenComplete((connection, unavailable) -> {
			if (this.closed) {
				// An attempt that was begun just then would stay open.
				this.held.close();
				listener.accept(null);
			}
			else if (unavailable != null) {
				over(unavailable, true);
				listener.accept(null);
			}
			else {
				send(sound, listener, connection);
			}
		});
	}

	private void send(List<QueueKeys> sound, Consumer<@Nullable String> listener,
			StatefulConnection<byte[], byte[]> connection) {
		CommandArgs<byte[], byte[]> args = Sent.args();
		sound.forEach((queue) -> args.addKey(queue.get(QueuePart.WAKE)));
		args.add(WakeLine.BLOCK.toSeconds());
		// A wait that lasts longer is one on a dead connection, or on a server whose
		// clock
		// was set back.
		Sent command = new Sent(CommandType.BLPOP, args, WakeLine.COMMAND_TIMEOUT);
		command.whenComplete((found, error) -> {
			if (error != null && (RedisErrors.wantsAnotherConnection(error) || RedisErrors.isElsewhere(error))) {
				this.held.discard(connection);
			}
			over(error, error instanceof RedisCommandExecutionException);
			listener.accept((error == null && found.size() == 2) ? queueOf((byte[]) found.get(0)) : null);
		});
		command.on(connection);
	}

	private void over(@Nullable Throwable error, boolean rest) {
		if (rest) {
			this.restUntil = System.nanoTime() + AFTER_FAILURE.toNanos();
		}
		if (error != null) {
			this.connections.nodesChanged();
			if (RedisErrors.isWrongType(error)) {
				findDamaged();
			}
		}
		this.waiting = false;
	}

	void close() {
		this.closed = true;
		this.connections.closeWaiting(this.held);
	}

	/**
	 * Redis does not say which of the keys it is.
	 */
	private void findDamaged() {
		PlainCommands commands = new PlainCommands(this.connections.commands(), WakeLine.COMMAND_TIMEOUT);
		List<CompletableFuture<String>> types = commands
			.types(this.queues.stream().map((queue) -> queue.get(QueuePart.WAKE)).toList());
		for (int i = 0; i < types.size(); i++) {
			String queue = this.queues.get(i).queue();
			// Without an answer the next wait is refused again, and this is asked again.
			types.get(i).thenAccept((type) -> judge(queue, type));
		}
	}

	private void judge(String queue, String type) {
		if (!type.equals("list") && !type.equals("none")) {
			this.damaged.put(queue, System.nanoTime() + AFTER_DAMAGE.toNanos());
			if (this.told.add(queue)) {
				logger.warn("The key 'wake' of queue {} holds a {} where a list belongs, so workers look there only "
						+ "every few seconds. Delete the key", queue, type);
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

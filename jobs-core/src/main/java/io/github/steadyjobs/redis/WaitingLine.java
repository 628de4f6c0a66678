package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.KeyValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
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
	 * How long nothing is waited for after a refusal, which comes at once: a loop would
	 * go round as fast as it could.
	 */
	private static final Duration AFTER_REFUSAL = Duration.ofMillis(500);

	/**
	 * How long a queue is left out whose key holds no list. Its jobs are found by looking
	 * meanwhile.
	 */
	private static final Duration AFTER_DAMAGE = Duration.ofSeconds(5);

	private final HeldConnection held;

	private final List<QueueKeys> queues;

	private final Set<String> leftOut = new HashSet<>();

	private final Set<String> told = new HashSet<>();

	private final Map<String, Long> damaged = new HashMap<>();

	private volatile long restUntil = System.nanoTime();

	private volatile boolean wrongType;

	private @Nullable AsyncCommand<byte[], byte[], KeyValue<byte[], byte[]>> wait;

	private long since;

	WaitingLine(HeldConnection held, List<QueueKeys> queues) {
		this.held = held;
		this.queues = List.copyOf(queues);
	}

	HeldConnection held() {
		return this.held;
	}

	void leaveOut(String queue) {
		this.leftOut.add(queue);
	}

	/**
	 * Wait, unless a wait is under way already.
	 * @return in how many nanoseconds to call again even if nothing was told
	 */
	long listen(Consumer<@Nullable String> listener) {
		long now = System.nanoTime();
		if (this.wait != null && !this.wait.isDone()) {
			if (now - this.since < WakeLine.COMMAND_TIMEOUT.toNanos()) {
				return WakeLine.COMMAND_TIMEOUT.toNanos() - (now - this.since);
			}
			// Long overdue by our own clock: the connection is dead, or the server's
			// clock was set back.
			this.held.discard();
		}
		if (now - this.restUntil < 0) {
			return this.restUntil - now;
		}
		if (this.wrongType) {
			this.wrongType = false;
			findDamaged();
		}
		this.damaged.values().removeIf((until) -> now - until >= 0);
		List<QueueKeys> sound = this.queues.stream()
			.filter((queue) -> !this.leftOut.contains(queue.queue()))
			.filter((queue) -> !this.damaged.containsKey(queue.queue()))
			.toList();
		if (!sound.isEmpty()) {
			send(sound, listener);
		}
		return this.damaged.isEmpty() ? Long.MAX_VALUE : AFTER_DAMAGE.toNanos();
	}

	private void send(List<QueueKeys> sound, Consumer<@Nullable String> listener) {
		CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
		sound.forEach((queue) -> args.addKey(queue.wake()));
		args.add(WakeLine.BLOCK.toSeconds());
		StatefulConnection<byte[], byte[]> connection = this.held.get();
		AsyncCommand<byte[], byte[], KeyValue<byte[], byte[]>> command = new AsyncCommand<>(
				new Command<>(CommandType.BLPOP, new KeyValueOutput<>(ByteArrayCodec.INSTANCE), args));
		this.wait = command;
		this.since = System.nanoTime();
		command.whenComplete((found, error) -> {
			if (error instanceof RedisCommandExecutionException) {
				this.wrongType = RedisErrors.isWrongType(error);
				this.restUntil = System.nanoTime() + (this.wrongType ? 0 : AFTER_REFUSAL.toNanos());
			}
			if (error != null && RedisErrors.wantsAnotherConnection(error)) {
				this.held.discard(connection);
			}
			listener.accept((error == null && found != null && found.hasValue()) ? queueOf(found.getKey()) : null);
		});
		connection.dispatch(command);
	}

	/**
	 * Redis does not say which of the keys it is.
	 */
	private void findDamaged() {
		PlainCommands commands = new PlainCommands(this.held, WakeLine.COMMAND_TIMEOUT);
		for (QueueKeys queue : this.queues) {
			String type = commands.type(queue.wake());
			if (!type.equals("list") && !type.equals("none")) {
				this.damaged.put(queue.queue(), System.nanoTime() + AFTER_DAMAGE.toNanos());
				if (this.told.add(queue.queue())) {
					logger.warn("The key 'wake' of queue {} holds a {} where a list belongs, so workers look there "
							+ "only every few seconds. Delete the key", queue.queue(), type);
				}
			}
		}
	}

	private @Nullable String queueOf(byte[] wakeKey) {
		for (QueueKeys queue : this.queues) {
			if (Arrays.equals(queue.wake(), wakeKey)) {
				return queue.queue();
			}
		}
		return null;
	}

}

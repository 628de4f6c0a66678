package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

import io.github.steadyjobs.JobStoreException;
import io.lettuce.core.KeyValue;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.KeyValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

/**
 * Waits in Redis until one of several queues may have something to give out.
 * <p>
 * What it takes from there is a hint, never a job: losing one loses nothing. Used by one
 * thread; {@link #close()} may be called by another.
 */
public final class WakeLine implements AutoCloseable {

	/**
	 * How long one wait lasts, so that a connection that died silently is found.
	 */
	public static final Duration BLOCK = Duration.ofSeconds(2);

	private static final Duration COMMAND_TIMEOUT = BLOCK.plusSeconds(2);

	private final RedisConnections connections;

	private final List<Line> lines = new ArrayList<>();

	private final List<QueueKeys> queues;

	private volatile boolean closed;

	WakeLine(RedisConnections connections, List<QueueKeys> queues) {
		this.connections = connections;
		this.queues = queues;
		List<HeldConnection> opened = connections.waiting(queues.size(), COMMAND_TIMEOUT);
		for (int i = 0; i < opened.size(); i++) {
			this.lines.add(new Line(opened.get(i), (opened.size() == 1) ? queues : List.of(queues.get(i))));
		}
	}

	/**
	 * Wait, unless a wait is under way already. Returns at once.
	 * @param listener told, on a thread of the network, the name of the queue to look at,
	 * or {@code null} when the wait is over without any
	 * @throws JobStoreException if Redis is not reachable
	 */
	public void listen(Consumer<@Nullable String> listener) {
		if (!this.closed) {
			this.lines.forEach((line) -> line.listen(listener));
		}
	}

	/**
	 * Give a hint back that could not be used. Does not wait for the answer.
	 * @param queue the queue
	 */
	public void putBack(String queue) {
		PlainCommands commands = new PlainCommands(this.connections.commands(), COMMAND_TIMEOUT);
		this.queues.stream()
			.filter((keys) -> keys.queue().equals(queue))
			.forEach((keys) -> commands.pushLeft(keys.wake(), "1"));
	}

	/**
	 * End every wait at once.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.connections.closeWaiting(this.lines.stream().map((line) -> line.held).toList());
	}

	private static final class Line {

		private final HeldConnection held;

		private final List<QueueKeys> queues;

		private @Nullable AsyncCommand<byte[], byte[], KeyValue<byte[], byte[]>> wait;

		private long since;

		Line(HeldConnection held, List<QueueKeys> queues) {
			this.held = held;
			this.queues = queues;
		}

		void listen(Consumer<@Nullable String> listener) {
			if (this.wait != null && !this.wait.isDone()) {
				if (System.nanoTime() - this.since < COMMAND_TIMEOUT.toNanos()) {
					return;
				}
				// Long overdue by our own clock: the connection is dead, or the server's
				// clock was set back.
				this.held.discard();
			}
			CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
			this.queues.forEach((queue) -> args.addKey(queue.wake()));
			args.add(BLOCK.toSeconds());
			StatefulConnection<byte[], byte[]> connection = this.held.get();
			AsyncCommand<byte[], byte[], KeyValue<byte[], byte[]>> command = new AsyncCommand<>(
					new Command<>(CommandType.BLPOP, new KeyValueOutput<>(ByteArrayCodec.INSTANCE), args));
			this.wait = command;
			this.since = System.nanoTime();
			command.whenComplete((found, error) -> {
				if (error != null && RedisErrors.wantsAnotherConnection(error)) {
					this.held.discard(connection);
				}
				listener.accept((error == null && found != null && found.hasValue()) ? queueOf(found.getKey()) : null);
			});
			connection.dispatch(command);
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

}

package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

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

	private static final int MOST_TOKENS = 3;

	static final Duration COMMAND_TIMEOUT = BLOCK.plusSeconds(2);

	private final RedisConnections connections;

	private final List<WaitingLine> lines = new ArrayList<>();

	private final List<QueueKeys> queues;

	private volatile boolean closed;

	WakeLine(RedisConnections connections, List<QueueKeys> queues) {
		this.connections = connections;
		this.queues = queues;
		List<List<QueueKeys>> together = connections.isCluster() ? queues.stream().map(List::of).toList()
				: List.of(queues);
		together.forEach((some) -> this.lines.add(new WaitingLine(connections, some)));
	}

	/**
	 * Wait for queues that are not waited for yet. Returns at once, and throws nothing:
	 * where there is no connection the wait is over soon, and the next one begins half a
	 * second later.
	 * @param listener told, on a thread of the network, the name of the queue to look at,
	 * or {@code null} when the wait is over without any
	 */
	public void listen(Consumer<@Nullable String> listener) {
		if (!this.closed) {
			this.lines.forEach((line) -> line.listen(listener));
		}
	}

	/**
	 * Return whether hints about all queues would be heard of.
	 * @return whether all queues are being waited for
	 */
	public boolean isListening() {
		return !this.closed && this.lines.stream().allMatch(WaitingLine::isListening);
	}

	/**
	 * Wait for a queue no longer, as others may be able to follow its hints.
	 * @param queue the queue
	 */
	public void leaveOut(String queue) {
		this.lines.forEach((line) -> line.leaveOut(queue));
	}

	/**
	 * Give a hint back that could not be used. Does not wait for the answer.
	 * @param queue the queue
	 */
	public void putBack(String queue) {
		PlainCommands commands = new PlainCommands(this.connections.commands(), COMMAND_TIMEOUT);
		this.queues.stream().filter((keys) -> keys.queue().equals(queue)).forEach((keys) -> {
			commands.pushLeft(keys.get(QueuePart.WAKE), "1");
			commands.keepLeft(keys.get(QueuePart.WAKE), MOST_TOKENS);
		});
	}

	/**
	 * End every wait at once.
	 */
	@Override
	public void close() {
		this.closed = true;
		this.lines.forEach(WaitingLine::close);
	}

}

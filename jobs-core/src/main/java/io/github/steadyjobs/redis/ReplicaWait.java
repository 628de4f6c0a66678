package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until a replica has what was written on one connection. Thread safe.
 * <p>
 * Redis answers in order, and carries nothing out on a connection that waits. So whoever
 * has the answer to a push and asks before a WAIT is answered is covered by that WAIT,
 * and all who ask meanwhile share it.
 */
final class ReplicaWait {

	private static final Logger logger = LoggerFactory.getLogger(ReplicaWait.class);

	private static final int REPLICAS = 1;

	/**
	 * How long the first WAIT lasts. Replicas mostly need less than a millisecond; if
	 * there is none, nobody should be kept for long.
	 */
	private static final Duration FIRST = Duration.ofMillis(100);

	/**
	 * How long each further WAIT lasts while the replicas that there are lag behind. It
	 * holds up the pushes sent behind it, and must be longer than the lag: each WAIT is
	 * for what was written last.
	 */
	private static final Duration FURTHER = Duration.ofSeconds(1);

	private final HeldConnection held;

	private final StatefulConnection<byte[], byte[]> connection;

	private final Duration commandTimeout;

	/**
	 * A push may have to wait for a WAIT before it, and then for its own, and both
	 * together must be shorter than the command timeout, or it would look as if Redis did
	 * not answer.
	 */
	private final Duration longest;

	private final List<CompletableFuture<Boolean>> asking = new ArrayList<>();

	private boolean underWay;

	private volatile boolean refusalTold;

	ReplicaWait(HeldConnection held, StatefulConnection<byte[], byte[]> connection, Duration commandTimeout) {
		this.held = held;
		this.connection = connection;
		this.commandTimeout = commandTimeout;
		this.longest = commandTimeout.dividedBy(4);
	}

	StatefulConnection<byte[], byte[]> connection() {
		return this.connection;
	}

	boolean isOn(StatefulConnection<byte[], byte[]> connection) {
		return this.connection == connection;
	}

	/**
	 * Wait until a replica has acknowledged what the caller knows to be written on this
	 * connection.
	 * @param deadline the {@link System#nanoTime()} at which to give up
	 * @return whether one has; {@code false} also if nobody can tell
	 */
	boolean acknowledge(long deadline) {
		CompletableFuture<Boolean> answer = ask();
		try {
			return Interrupts.get(answer, Math.max(0, deadline - System.nanoTime()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.debug("No replica has acknowledged", ex);
		}
		// So that no WAIT is sent on behalf of who is gone.
		return !answer.complete(false) && answer.join();
	}

	private CompletableFuture<Boolean> ask() {
		CompletableFuture<Boolean> answer = new CompletableFuture<>();
		synchronized (this) {
			this.asking.add(answer);
			if (this.underWay) {
				return answer;
			}
			this.underWay = true;
		}
		// Not under the lock, which the network's thread takes while it keeps senders
		// out.
		sendWait(FIRST);
		return answer;
	}

	private void sendWait(Duration wanted) {
		Duration block = (wanted.compareTo(this.longest) < 0) ? wanted : this.longest;
		// Zero would be forever.
		send(CommandType.WAIT, Sent.args().add(REPLICAS).add(Math.max(1, block.toMillis())), this::waited);
	}

	private void waited(List<Object> answer, @Nullable Throwable error) {
		if (error != null) {
			lookAt(error);
			tellAll(false);
		}
		else if (Answers.number(answer, 0) >= REPLICAS) {
			tellAll(true);
		}
		else if (isAnyoneLeft()) {
			send(CommandType.INFO, Sent.args().add("replication"), this::looked);
		}
	}

	/**
	 * Redis lets WAIT last to its end also if there is no replica at all.
	 */
	private void looked(List<Object> answer, @Nullable Throwable error) {
		if (error == null && Answers.utf8(answer.get(0)).contains("connected_slaves:0\r")) {
			tellAll(false);
		}
		else {
			sendWait(FURTHER);
		}
	}

	private void send(CommandType type, CommandArgs<byte[], byte[]> args,
			BiConsumer<List<Object>, @Nullable Throwable> listener) {
		Sent command = new Sent(type, args, this.commandTimeout);
		command.whenComplete(listener);
		command.on(this.connection);
	}

	private void lookAt(Throwable error) {
		if (RedisErrors.wantsAnotherConnection(error)) {
			this.held.discard(this.connection);
		}
		else if (error instanceof RedisCommandExecutionException && !this.refusalTold) {
			this.refusalTold = true;
			logger.warn("Redis refuses WAIT, so nobody can tell whether jobs are replicated; they are stored: {}",
					error.getMessage());
		}
	}

	private synchronized boolean isAnyoneLeft() {
		this.asking.removeIf(CompletableFuture::isDone);
		this.underWay = !this.asking.isEmpty();
		return this.underWay;
	}

	private void tellAll(boolean replicated) {
		List<CompletableFuture<Boolean>> told;
		synchronized (this) {
			told = List.copyOf(this.asking);
			this.asking.clear();
			this.underWay = false;
		}
		told.forEach((answer) -> answer.complete(replicated));
	}

}

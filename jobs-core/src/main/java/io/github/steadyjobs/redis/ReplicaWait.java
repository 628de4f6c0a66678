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
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ByteArrayOutput;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
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
		CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE).add(REPLICAS)
			.add(Math.max(1, block.toMillis()));
		send(CommandType.WAIT, new IntegerOutput<>(ByteArrayCodec.INSTANCE), args, this::waited);
	}

	private void waited(@Nullable Long replicas, @Nullable Throwable error) {
		if (error != null || replicas == null) {
			lookAt(error);
			tellAll(false);
		}
		else if (replicas >= REPLICAS) {
			tellAll(true);
		}
		else if (isAnyoneLeft()) {
			CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE).add("replication");
			send(CommandType.INFO, new ByteArrayOutput<>(ByteArrayCodec.INSTANCE), args, this::looked);
		}
	}

	/**
	 * Redis lets WAIT last to its end also if there is no replica at all.
	 */
	private void looked(byte @Nullable [] info, @Nullable Throwable error) {
		if (info != null && Answers.utf8(info).contains("connected_slaves:0\r")) {
			tellAll(false);
		}
		else {
			sendWait(FURTHER);
		}
	}

	private <T> void send(CommandType type, CommandOutput<byte[], byte[], T> output, CommandArgs<byte[], byte[]> args,
			BiConsumer<@Nullable T, @Nullable Throwable> listener) {
		AsyncCommand<byte[], byte[], T> command = new AsyncCommand<>(new Command<>(type, output, args));
		command.whenComplete(listener);
		this.connection.dispatch(command);
	}

	private void lookAt(@Nullable Throwable error) {
		if (error != null && RedisErrors.wantsAnotherConnection(error)) {
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

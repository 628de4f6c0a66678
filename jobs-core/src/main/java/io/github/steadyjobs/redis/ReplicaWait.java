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
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until a replica has received the writes of one connection. Thread safe.
 * <p>
 * Redis answers calls in order, and executes nothing else on a connection during a {@code
 * WAIT}. So one {@code WAIT} covers every push that was answered before it, and all
 * callers that ask during a {@code WAIT} share its answer. With one {@code WAIT} per
 * push, the lag of the replica would delay one push after another.
 */
public final class ReplicaWait {

	private static final Logger logger = LoggerFactory.getLogger(ReplicaWait.class);

	private static final int REPLICAS = 1;

	/**
	 * The maximum duration of the first {@code WAIT}. Replicas usually need less than a
	 * millisecond. If there are no replicas, callers should not be held up for long.
	 */
	private static final Duration FIRST = Duration.ofMillis(100);

	/**
	 * The maximum duration of each further {@code WAIT} while the replicas lag behind. A
	 * {@code WAIT} holds up the pushes that are sent after it. This duration must be
	 * longer than the lag, because each {@code WAIT} waits for the latest write.
	 */
	private static final Duration FURTHER = Duration.ofSeconds(1);

	private final HeldConnection held;

	private final StatefulConnection<byte[], byte[]> connection;

	private final Duration commandTimeout;

	private final List<CompletableFuture<Boolean>> asking = new ArrayList<>();

	private boolean underWay;

	private volatile boolean refusalLogged;

	ReplicaWait(HeldConnection held, StatefulConnection<byte[], byte[]> connection, Duration commandTimeout) {
		this.held = held;
		this.connection = connection;
		this.commandTimeout = commandTimeout;
	}

	HeldConnection connection() {
		return this.held;
	}

	boolean isPresent() {
		return this.held.isPresent(this.connection);
	}

	boolean isOn(StatefulConnection<byte[], byte[]> connection) {
		return this.connection == connection;
	}

	/**
	 * Wait until a replica has acknowledged the writes of the caller on this connection.
	 * @param deadline the {@link System#nanoTime()} at which to give up
	 * @return whether a replica has acknowledged the writes; also {@code false} if this
	 * is unknown, or if pushes now use another connection
	 */
	public boolean acknowledge(long deadline) {
		if (!isPresent()) {
			return false;
		}
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
		// Complete the answer, so that no WAIT is sent for a caller that has given up.
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
		// Send outside the lock, which the network thread takes while it blocks senders.
		sendWait(FIRST);
		return answer;
	}

	private void sendWait(Duration wanted) {
		// A push may have to wait for an earlier WAIT and then for its own. Both waits
		// must fit into the command timeout; otherwise Redis would seem not to answer.
		long block = Math.min(wanted.toMillis(), this.commandTimeout.toMillis() / 4);
		// Zero would mean waiting forever.
		send(new CommandBytes(CommandType.WAIT).add(REPLICAS).add(Math.max(1, block)), this::waited);
	}

	private void waited(List<Object> answer, @Nullable Throwable error) {
		if (error != null) {
			lookAt(error);
			answerAll(false);
		}
		else if (Answers.number(answer, 0) >= REPLICAS) {
			answerAll(true);
		}
		else if (isAnyoneLeft()) {
			send(new CommandBytes(CommandType.INFO).add("replication"), this::looked);
		}
	}

	/**
	 * Stop waiting if the server has no replicas or has become a replica; otherwise wait
	 * again. Even without replicas, {@code WAIT} would take its full time.
	 */
	private void looked(List<Object> answer, @Nullable Throwable error) {
		String info = (error == null) ? Answers.utf8(answer.get(0)) : "";
		if (info.contains("role:slave\r")) {
			this.held.retire(this.connection);
			answerAll(false);
		}
		else if (info.contains("connected_slaves:0\r")) {
			answerAll(false);
		}
		else {
			sendWait(FURTHER);
		}
	}

	private void send(CommandBytes command, BiConsumer<List<Object>, @Nullable Throwable> listener) {
		Sent.of(command, this.commandTimeout, listener).on(this.connection);
	}

	private void lookAt(Throwable error) {
		if (RedisErrors.wantsAnotherConnection(error)) {
			this.held.discard(this.connection);
		}
		else if (error instanceof RedisCommandExecutionException && !this.refusalLogged) {
			this.refusalLogged = true;
			logger.warn("Redis refuses WAIT, so it is unknown whether jobs are replicated; they are stored: {}",
					error.getMessage());
		}
	}

	private synchronized boolean isAnyoneLeft() {
		this.asking.removeIf(CompletableFuture::isDone);
		this.underWay = !this.asking.isEmpty();
		return this.underWay;
	}

	private void answerAll(boolean replicated) {
		List<CompletableFuture<Boolean>> answered;
		synchronized (this) {
			answered = List.copyOf(this.asking);
			this.asking.clear();
			this.underWay = false;
		}
		answered.forEach((answer) -> answer.complete(replicated));
	}

}

package io.github.steadyjobs.server;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.steadyjobs.redis.JobToken;
import io.github.steadyjobs.redis.MoveStore;
import io.github.steadyjobs.redis.QueuePart;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves jobs on that have failed and are retried in another queue. Their settlement has
 * parked them, on their way there. Nothing is lost if they are not moved here, because
 * Redis is away, there are too many, or this process ends: some seconds later any worker
 * of the queue finishes the move, see {@link Parking}. Thread safe.
 */
final class RetryMoves {

	/** A queue in which all jobs fail must not fill the memory. */
	private static final int MOST_WAITING = 10_000;

	/** After so many, other chores get their turn. */
	private static final int MOVED_AT_ONCE = 100;

	private static final Logger logger = LoggerFactory.getLogger(RetryMoves.class);

	private final MoveStore store;

	private final Executor chores;

	private final Queue<Move> waiting = new LinkedBlockingQueue<>(MOST_WAITING);

	private final AtomicBoolean underWay = new AtomicBoolean();

	private final Set<String> failing = ConcurrentHashMap.newKeySet();

	/**
	 * Create moves.
	 * @param chores where jobs are moved, one after the other
	 */
	RetryMoves(MoveStore store, Executor chores) {
		this.store = store;
		this.chores = chores;
	}

	/**
	 * Move a parked job soon. Does not block.
	 * @param target the queue that it is on its way to
	 */
	void add(JobToken job, String target) {
		if (this.waiting.offer(new Move(job, target))) {
			begin();
		}
	}

	private void begin() {
		if (this.underWay.compareAndSet(false, true)) {
			try {
				this.chores.execute(this::moveSome);
			}
			catch (RejectedExecutionException ex) {
				logger.debug("Left to other processes, because this one ends");
			}
		}
	}

	private void moveSome() {
		try {
			Move next = this.waiting.poll();
			for (int moved = 1; next != null; moved++) {
				move(next);
				next = (moved < MOVED_AT_ONCE) ? this.waiting.poll() : null;
			}
		}
		finally {
			this.underWay.set(false);
		}
		if (!this.waiting.isEmpty()) {
			begin();
		}
	}

	private void move(Move move) {
		JobToken job = move.job();
		try {
			if (this.store.move(job.queue(), QueuePart.PARKED, job.id(), move.target())) {
				this.failing.remove(move.target());
			}
		}
		catch (RuntimeException ex) {
			// Each of them would wait for an answer as long as this one did.
			this.waiting.removeIf((other) -> other.target().equals(move.target()));
			if (!Thread.currentThread().isInterrupted() && this.failing.add(move.target())) {
				logger.warn(
						"Job {} of queue {} is to be retried in queue {}, which does not take it yet. It is parked, and "
								+ "workers of its queue move it as soon as they can; the same goes for others: {}",
						job.id(), job.queue(), move.target(), ex.getMessage());
			}
		}
	}

	/**
	 * A job, and where it is to be.
	 */
	private record Move(JobToken job, String target) {

	}

}

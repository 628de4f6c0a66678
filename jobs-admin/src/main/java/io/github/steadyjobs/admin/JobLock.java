package io.github.steadyjobs.admin;

import java.time.Instant;
import java.util.List;

import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.redis.LockKind;
import io.github.steadyjobs.redis.QueuePart;
import org.jspecify.annotations.Nullable;

/**
 * A lock that a job has, at one moment.
 *
 * @param queue the queue of the job
 * @param digest what is locked: made from the name and the arguments or the key of the
 * job
 * @param strategy what the lock keeps away, never {@link Strategy#DEFAULT}
 * @param holder the id of the job that has the lock; with
 * {@link Strategy#WHILE_EXECUTING} the one that runs or runs next
 * @param state what that job does
 * @param expires when the lock no longer counts, by the clock of Redis; {@code null} with
 * {@link Strategy#WHILE_EXECUTING}, which is not limited
 * @param runsOnceMore whether a duplicate was dropped and is to run after the job
 * @param waiting with {@link Strategy#WHILE_EXECUTING} the ids of the jobs that wait for
 * this one, the next one first, at most 100 of each lock and 1,000 on a page; empty
 * otherwise
 */
public record JobLock(String queue, String digest, Strategy strategy, String holder, State state,
		@Nullable Instant expires, boolean runsOnceMore, List<String> waiting) {

	public JobLock {
		waiting = List.copyOf(waiting);
	}

	static JobLock of(String queue, LockStore.Lock entry) {
		Instant expires = (entry.kind() != LockKind.WHILE_EXECUTING) ? Instant.ofEpochMilli(entry.expiry()) : null;
		return new JobLock(queue, entry.digest(), strategy(entry.kind()), entry.holder(), state(entry.place()), expires,
				entry.again(), entry.waiting());
	}

	private static Strategy strategy(LockKind kind) {
		return switch (kind) {
			case UNTIL_EXECUTING -> Strategy.UNTIL_EXECUTING;
			case WITHIN -> Strategy.WITHIN;
			case WHILE_EXECUTING -> Strategy.WHILE_EXECUTING;
			default -> Strategy.UNTIL_EXECUTED;
		};
	}

	private static State state(@Nullable QueuePart place) {
		if (place == null) {
			return State.GONE;
		}
		return switch (place) {
			case WORKING -> State.RUNNING;
			case SCHEDULED -> State.SCHEDULED;
			case RETRIES -> State.RETRYING;
			case PARKED -> State.PARKED;
			case DEAD -> State.DEAD;
			default -> State.WAITING;
		};
	}

	/**
	 * What the job that has the lock does.
	 */
	public enum State {

		/** It waits for a worker. */
		WAITING,

		/** It waits until it is due. */
		SCHEDULED,

		/** It has failed, and waits until it is due again. */
		RETRYING,

		/** It waits for something other than a time. */
		PARKED,

		/** A worker has it. */
		RUNNING,

		/**
		 * It is dead: the lock is a leftover, because the death of a job ends its lock.
		 */
		DEAD,

		/**
		 * It is gone. With {@link Strategy#WITHIN} the job has ended before the time was
		 * over; otherwise the next job that is enqueued takes the lock over.
		 */
		GONE

	}

}

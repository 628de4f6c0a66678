package io.github.steadyjobs.admin;

import java.time.Instant;
import java.util.List;

import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.redis.Answers;
import org.jspecify.annotations.Nullable;

/**
 * A lock that a job has, at one moment.
 *
 * @param queue the queue of the job
 * @param digest the identity of the lock, which is made from the name of the job and its
 * arguments or key
 * @param strategy the strategy, which determines what the lock prevents; never
 * {@link Strategy#DEFAULT}
 * @param holder the id of the job that has the lock; with
 * {@link Strategy#WHILE_EXECUTING} the job that runs or runs next
 * @param state the state of that job
 * @param expires when the lock expires, by the clock of Redis; {@code null} with
 * {@link Strategy#WHILE_EXECUTING}, where locks do not expire
 * @param runsOnceMore whether a duplicate was dropped and will run after the job
 * @param waiting with {@link Strategy#WHILE_EXECUTING}, the ids of the jobs that wait for
 * the holder, next one first, at most 100 for each lock and 1,000 on a page; otherwise
 * empty
 */
public record JobLock(String queue, String digest, Strategy strategy, String holder, State state,
		@Nullable Instant expires, boolean runsOnceMore, List<String> waiting) {

	public JobLock {
		waiting = List.copyOf(waiting);
	}

	/** Create a lock from the fields that {@code holders.lua} returns. */
	static JobLock of(String queue, List<?> fields) {
		Strategy strategy = switch (Answers.ascii(fields.get(1))) {
			case "u" -> Strategy.UNTIL_EXECUTING;
			case "w" -> Strategy.WITHIN;
			case "m" -> Strategy.WHILE_EXECUTING;
			default -> Strategy.UNTIL_EXECUTED;
		};
		Instant expires = (strategy == Strategy.WHILE_EXECUTING) ? null
				: Instant.ofEpochMilli(Long.parseLong(Answers.ascii(fields.get(2)), 16));
		State state = switch (Answers.ascii(fields.get(4))) {
			case "W" -> State.RUNNING;
			case "S" -> State.SCHEDULED;
			case "T" -> State.RETRYING;
			case "K" -> State.PARKED;
			case "D" -> State.DEAD;
			case "R" -> State.WAITING;
			default -> State.GONE;
		};
		return new JobLock(queue, Answers.ascii(fields.get(0)), strategy, Answers.ascii(fields.get(3)), state, expires,
				(Long) fields.get(5) == 1, ((List<?>) fields.get(6)).stream().map(Answers::ascii).toList());
	}

	/** The state of the job that has the lock. */
	public enum State {

		/** It waits for a worker. */
		WAITING,

		/** It waits until it is due. */
		SCHEDULED,

		/** It has failed, and waits until it is due again. */
		RETRYING,

		/** It waits for something other than a time. */
		PARKED,

		/** A worker runs it. */
		RUNNING,

		/** It is dead. The lock is a leftover, because a job's death ends its lock. */
		DEAD,

		/**
		 * It no longer exists. With {@link Strategy#WITHIN}, the job has ended before its
		 * lock expires; otherwise, the next equal job that is enqueued takes over the
		 * lock.
		 */
		GONE

	}

}

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

	/** Read a lock as {@code holders.lua} describes it. */
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

	/** What the job that has the lock does. */
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

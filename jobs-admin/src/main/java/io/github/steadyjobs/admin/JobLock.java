package io.github.steadyjobs.admin;

import java.time.Instant;
import java.util.List;

import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.redis.Answers;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a lock that a job holds.
 *
 * @param queue the queue of the job
 * @param digest the identity of the lock, which is made from the name of the job and its
 * arguments or key
 * @param strategy the strategy, which determines what the lock prevents; never
 * {@link Strategy#DEFAULT}
 * @param holder the id of the job that holds the lock; with
 * {@link Strategy#WHILE_EXECUTING}, the job that is running or will run next
 * @param state the state of that job
 * @param expires when the lock expires, by the clock of Redis; {@code null} with
 * {@link Strategy#WHILE_EXECUTING}, whose locks do not expire
 * @param runsOnceMore whether a duplicate was held back and will run after the job
 * @param waiting with {@link Strategy#WHILE_EXECUTING}, the ids of the jobs that wait for
 * the holder, next job first, at most 100 for each lock and 1,000 on a page; otherwise
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
			case "working" -> State.RUNNING;
			case "scheduled" -> State.SCHEDULED;
			case "retries" -> State.RETRYING;
			case "parked" -> State.PARKED;
			case "dead" -> State.DEAD;
			case "ready" -> State.WAITING;
			default -> State.GONE;
		};
		return new JobLock(queue, Answers.ascii(fields.get(0)), strategy, Answers.ascii(fields.get(3)), state, expires,
				(Long) fields.get(5) == 1, ((List<?>) fields.get(6)).stream().map(Answers::ascii).toList());
	}

	/** The state of the job that holds the lock. */
	public enum State {

		/** The job waits for a worker. */
		WAITING,

		/** The job waits until it is due. */
		SCHEDULED,

		/** The job has failed or was postponed, and waits until it is due again. */
		RETRYING,

		/** The job waits for something other than a worker or a time. */
		PARKED,

		/** The job is running. */
		RUNNING,

		/** The job is dead. The lock is a leftover: normally, death ends a lock. */
		DEAD,

		/**
		 * The job no longer exists. With {@link Strategy#WITHIN}, the job has ended, but
		 * the lock is kept until it expires. With any other strategy, the next equal job
		 * that is enqueued takes over the lock.
		 */
		GONE

	}

}

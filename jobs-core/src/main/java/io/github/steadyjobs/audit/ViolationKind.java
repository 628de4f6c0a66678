package io.github.steadyjobs.audit;

/**
 * What can be wrong in Redis.
 */
public enum ViolationKind {

	/**
	 * A key of ours holds a value of a type that no script of ours writes. Repair renames
	 * it to {@code <key>:damaged:<milliseconds>}, outside of queues to
	 * {@code <prefix>:damaged:{<key>}:<milliseconds>}; what was in it comes back by a
	 * second audit and repair. If it is {@code ready}, its jobs are brought back first.
	 */
	WRONG_TYPE,

	/**
	 * An id is in a place and has no payload. Repair takes it out: there is nothing to
	 * run.
	 */
	NO_PAYLOAD,

	/** A payload is in no place, so it would never run. Repair makes it due. */
	NO_PLACE,

	/**
	 * An id is in more than one place, or in a list twice. Repair keeps the first of
	 * working, suspects, retries, scheduled, parked, ready, dead.
	 */
	SEVERAL_PLACES,

	/**
	 * A job is worked on under a token that cannot be read, or by a process that has no
	 * heartbeat, so no other process would ever take it back. Repair gives the process a
	 * heartbeat that stands still, and recovery takes its jobs; a job with an unreadable
	 * token becomes due.
	 */
	NOBODY_WORKS,

	/**
	 * A job is recorded as held by a process that lives and does not hold it. Redis may
	 * have come back with older data. The process itself notices within two minutes and
	 * puts the job back, so repair leaves it alone. Restart a process that does not.
	 */
	NOT_HELD,

	/**
	 * An id is not 24 lower-case hex digits. Repair moves the job to the dead, unless it
	 * runs.
	 */
	FOREIGN_ID,

	/** A queue has a name that no queue can have. Repair removes the name. */
	FOREIGN_QUEUE,

	/**
	 * Something is kept for a job or process that is gone, or the other way round: a mark
	 * of cancellation on a job that has a payload. Repair removes it.
	 */
	LEFTOVER,

	/**
	 * A lock, or what is known of one, belongs to a job that is gone. Repair removes it;
	 * without one, the next job that is enqueued with this lock takes it over.
	 */
	LOCK_WITHOUT_JOB,

	/**
	 * A duplicate is to run once more, and no job is left whose end would make it one.
	 * Repair makes it a job, which has the lock.
	 */
	LOST_DUPLICATE,

	/**
	 * Payloads of an ordered job wait for the end of a run, and there is none. Repair
	 * lets them run.
	 */
	LOST_PAYLOADS,

	/**
	 * A job is parked until an equal one has ended, and there is none. Repair puts it
	 * back to the head of its queue.
	 */
	WAITS_FOR_NOBODY,

	/**
	 * A value is not one that a script of ours writes, such as a heartbeat that is no
	 * number or a due time that is infinite. Repair removes it, starts a heartbeat at 0,
	 * or makes a time the present one.
	 */
	BAD_VALUE

}

package io.github.steadyjobs.audit;

/**
 * What can be wrong in Redis. Damage that can only have been done by hand is reported,
 * and must be fixed by hand.
 */
public enum ViolationKind {

	/**
	 * A key of ours holds a value of a type that no script of ours writes. Repair renames
	 * it to {@code <key>:damaged:<milliseconds>}, outside of queues to
	 * {@code <prefix>:damaged:{<key>}:<milliseconds>}; its jobs come back with a second
	 * audit and repair. If it is {@code ready}, its jobs are brought back first.
	 */
	WRONG_TYPE,

	/**
	 * An id is in a place but has no payload. Repair takes it out, because there is
	 * nothing to run.
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
	 * heartbeat, so it is not taken back before another process joins the queue.
	 */
	NOBODY_WORKS("Start or restart a process that serves the queue: it takes the job back. If its token in 'working' "
			+ "is not <process>/<capsule>/<number>, remove that with HDEL, then audit and repair again"),

	/**
	 * A job is recorded as held by a living process that does not hold it. Redis may have
	 * come back with older data.
	 */
	NOT_HELD("The process notices within two minutes and puts the job back; restart one that does not"),

	/** An id is not 24 lower-case hex digits. */
	FOREIGN_ID("JobAdmin.change(JobAction.DELETE, id), or KILL to keep it among the dead"),

	/** A queue has a name that no queue can have. */
	FOREIGN_QUEUE("SREM <prefix>:queues <id>"),

	/**
	 * Something is kept for a job or process that is gone, or the other way round: a mark
	 * of cancellation on a job that has a payload, so the job is dropped when it fails or
	 * is put back. A leftover mark makes the number of ready jobs look smaller by one.
	 */
	LEFTOVER("HDEL <prefix>:{<queue>}:<where> <id>, for 'cancelled' SREM, and for 'crashes' HDEL from 'since' too"),

	/**
	 * A lock, or an entry about one, belongs to a job that is gone. Repair removes it;
	 * without a repair, the next job that is enqueued with this lock takes it over.
	 */
	LOCK_WITHOUT_JOB,

	/**
	 * A duplicate is to run once more, but no job is left whose end would make it a job.
	 * Repair makes it a job, which has the lock.
	 */
	LOST_DUPLICATE,

	/**
	 * Payloads of an ordered job wait for the end of a run that does not exist. Repair
	 * lets them run.
	 */
	LOST_PAYLOADS,

	/**
	 * A job is parked until an equal one has ended, but there is no such job. Repair puts
	 * it back to the head of its queue.
	 */
	WAITS_FOR_NOBODY,

	/**
	 * No script of ours writes such a value, for example a heartbeat that is not a number
	 * or a due time that is infinite.
	 */
	BAD_VALUE("HDEL <prefix>:{<queue>}:<where> <id>, for 'mutexes' and 'windows' ZREM; HSET a heartbeat to 0; ZADD a "
			+ "time anew, in milliseconds since the epoch");

	private final String remedy;

	ViolationKind() {
		this("");
	}

	ViolationKind(String remedy) {
		this.remedy = remedy;
	}

	/**
	 * Return how an operator fixes it, with the parts of a {@link Violation} in angle
	 * brackets; empty if {@link JobAudit#repair} fixes it.
	 */
	public String remedy() {
		return this.remedy;
	}

}

package io.github.steadyjobs.audit;

/**
 * The kinds of problems that an audit finds in Redis. Damage that only a manual change
 * can have caused is reported but not repaired; it must be fixed by hand.
 */
public enum ViolationKind {

	/**
	 * A key of Steady Jobs holds a value of the wrong type. Repair renames the key to
	 * {@code <key>:damaged:<milliseconds>}, or to
	 * {@code <prefix>:damaged:{<key>}:<milliseconds>} if it belongs to no queue. A second
	 * audit and repair brings back its jobs. If the key is {@code ready}, its jobs are
	 * brought back before the key is renamed.
	 */
	WRONG_TYPE,

	/** An id is in a place, but has no payload to run. Repair removes the id. */
	NO_PAYLOAD,

	/** A payload's id is in no place, so its job never runs. Repair makes the job due. */
	NO_PLACE,

	/**
	 * An id is in more than one place, or twice in a list. Repair keeps the place that
	 * comes first in this order: working, suspects, retries, scheduled, parked, ready,
	 * dead.
	 */
	SEVERAL_PLACES,

	/**
	 * A job is being worked on under a token that cannot be read, or by a process without
	 * a heartbeat. The job returns to the queue only when another process joins the
	 * queue.
	 */
	NOBODY_WORKS("Start or restart a process that serves the queue: it takes the job back. If its token in 'working' "
			+ "is not <process>/<capsule>/<number>, remove that with HDEL, then audit and repair again"),

	/**
	 * A job is recorded as held by a live process that does not hold it. Redis may have
	 * been restarted with older data.
	 */
	NOT_HELD("The process notices within two minutes and puts the job back; restart one that does not"),

	/** An id does not consist of 24 lower-case hexadecimal digits. */
	FOREIGN_ID("JobAdmin.change(JobAction.DELETE, id), or KILL to keep it among the dead"),

	/** A queue has an invalid name. */
	FOREIGN_QUEUE("SREM <prefix>:queues <id>"),

	/**
	 * There is an entry for a job or process that is gone, or a cancellation mark for a
	 * job that has a payload; such a job will be dropped when it fails or is put back.
	 * Each leftover mark reduces the reported number of ready jobs by one.
	 */
	LEFTOVER("HDEL <prefix>:{<queue>}:<where> <id>, for 'cancelled' SREM, and for 'crashes' HDEL from 'since' too"),

	/**
	 * A lock, or an entry about a lock, belongs to a job that is gone. Repair removes the
	 * entry. Without a repair, the next job that is enqueued with this lock takes over
	 * the lock.
	 */
	LOCK_WITHOUT_JOB,

	/**
	 * A duplicate waits to run once more, but the job whose end would make it ready is
	 * gone. Repair turns the duplicate into a job that has the lock.
	 */
	LOST_DUPLICATE,

	/**
	 * Payloads of an ordered job wait for the end of a run that no longer exists, or are
	 * in a backlog without a job or in no order. Repair makes them ready to run, and
	 * removes places in the order that have no payload.
	 */
	LOST_PAYLOADS,

	/**
	 * A job is parked until an equal job has ended, but that job does not exist. Repair
	 * moves the parked job to the head of its queue.
	 */
	WAITS_FOR_NOBODY,

	/**
	 * A value that Steady Jobs never writes, for example a heartbeat that is not a number
	 * or a due time that is infinite.
	 */
	BAD_VALUE("HDEL <prefix>:{<queue>}:<where> <id>, for 'mutexes' and 'windows' ZREM; HSET a heartbeat to 0; ZADD a "
			+ "new time, in milliseconds since the epoch");

	private final String remedy;

	ViolationKind() {
		this("");
	}

	ViolationKind(String remedy) {
		this.remedy = remedy;
	}

	/**
	 * Return how an operator can fix this kind of violation, with the parts of a
	 * {@link Violation} in angle brackets; empty if {@link JobAudit#repair} repairs it.
	 */
	public String remedy() {
		return this.remedy;
	}

}

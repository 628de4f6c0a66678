package io.github.steadyjobs.admin;

import io.github.steadyjobs.redis.QueuePart;

/**
 * The place of a job that has not ended. At any time, a job is in exactly one place.
 */
public enum JobPlace {

	/** The job waits for a worker. */
	READY(QueuePart.READY),

	/** The job waits to run alone, because processes died while they ran it. */
	SUSPECTS(QueuePart.SUSPECTS),

	/** The job waits until it is due. */
	SCHEDULED(QueuePart.SCHEDULED),

	/** The job has failed or was postponed, and waits until it is due again. */
	RETRIES(QueuePart.RETRIES),

	/** The job is kept but runs no more, for example because its last attempt failed. */
	DEAD(QueuePart.DEAD),

	/** The job waits for something other than a worker or a time. */
	PARKED(QueuePart.PARKED),

	/** A process has claimed the job: the job is running, or is about to run. */
	WORKING(QueuePart.WORKING);

	private final QueuePart part;

	JobPlace(QueuePart part) {
		this.part = part;
	}

	QueuePart part() {
		return this.part;
	}

	/**
	 * Return whether jobs in this place are sorted by time: their due time, or their time
	 * of death.
	 */
	boolean isSorted() {
		return this == SCHEDULED || this == RETRIES || this == DEAD;
	}

	/** Return whether this place is a list, with jobs in the order in which they run. */
	boolean isList() {
		return this == READY || this == SUSPECTS;
	}

	static JobPlace of(QueuePart part) {
		return valueOf(part.name());
	}

}

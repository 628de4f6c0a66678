package io.github.steadyjobs.admin;

import io.github.steadyjobs.redis.QueuePart;

/**
 * The place of a job that has not ended. A job is in one place at a time.
 */
public enum JobPlace {

	/** It waits for a worker. */
	READY(QueuePart.READY),

	/** It waits to run alone, because processes died while they ran it. */
	SUSPECTS(QueuePart.SUSPECTS),

	/** It waits until it is due. */
	SCHEDULED(QueuePart.SCHEDULED),

	/** It has failed, and waits until it is due again. */
	RETRIES(QueuePart.RETRIES),

	/** It has failed for the last time, and is kept. */
	DEAD(QueuePart.DEAD),

	/** It waits for something other than a time. */
	PARKED(QueuePart.PARKED),

	/** A worker runs it. */
	WORKING(QueuePart.WORKING);

	private final QueuePart part;

	JobPlace(QueuePart part) {
		this.part = part;
	}

	QueuePart part() {
		return this.part;
	}

	/**
	 * Return whether jobs in this place are sorted by a time: when they are due, or when
	 * they died.
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

package io.github.steadyjobs.admin;

import io.github.steadyjobs.redis.QueuePart;

/**
 * The place of a job that has not ended. At any time, a job is in exactly one place.
 */
public enum JobPlace {

	/** It waits for a worker. */
	READY(QueuePart.READY),

	/** It waits to run alone, because processes died while running it. */
	SUSPECTS(QueuePart.SUSPECTS),

	/** It waits until it is due. */
	SCHEDULED(QueuePart.SCHEDULED),

	/** It has failed, and waits until it is due again. */
	RETRIES(QueuePart.RETRIES),

	/** It has failed for the last time or was killed, and is kept. */
	DEAD(QueuePart.DEAD),

	/** It waits for something other than a worker or a time. */
	PARKED(QueuePart.PARKED),

	/** It is running. */
	WORKING(QueuePart.WORKING);

	private final QueuePart part;

	JobPlace(QueuePart part) {
		this.part = part;
	}

	QueuePart part() {
		return this.part;
	}

	/**
	 * Return whether jobs in this place are sorted by time: when they are due, or when
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

package io.github.steadyjobs.doctor;

import java.util.Locale;

/**
 * A check of the {@link Doctor}.
 */
public enum Check {

	/** Whether Redis may drop keys when its memory is full. */
	EVICTION,

	/** Whether jobs survive a crash of Redis. */
	PERSISTENCE,

	/** Whether the application reads from replicas, which jobs never do. */
	REPLICA_READS,

	/** Whether Steady Jobs has been tested with this product and version. */
	VERSION,

	/** Whether the clocks of Redis and of this machine agree. */
	CLOCK_SKEW,

	/** Whether Redis answers quickly enough. */
	ROUND_TRIP,

	/** Whether Redis has enough memory left. */
	MEMORY,

	/** Whether queues or jobs are paused. */
	PAUSES,

	/** Whether all recurring jobs run. */
	RECURRING,

	/** Whether this application can run the jobs that are stored in its queues. */
	UNKNOWN_JOBS;

	/**
	 * Return the name of this check in properties and in health details, in lower case
	 * with hyphens.
	 */
	public String id() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}

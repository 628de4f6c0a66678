package io.github.steadyjobs.doctor;

import java.util.Locale;

/**
 * What is looked at.
 */
public enum Check {

	/** Whether Redis may drop keys when its memory is full. */
	EVICTION,

	/** Whether Redis has jobs back after a crash. */
	PERSISTENCE,

	/** Whether the application reads from replicas, which jobs never do. */
	REPLICA_READS,

	/** Whether jobs are tested with this product and version. */
	VERSION,

	/** Whether the clocks of Redis and of this machine agree. */
	CLOCK_SKEW,

	/** How long an answer takes. */
	ROUND_TRIP,

	/** How much memory is left. */
	MEMORY,

	/** Whether queues or jobs are paused. */
	PAUSES,

	/** Whether all recurring jobs run. */
	RECURRING;

	/**
	 * Return the name of this check in properties and in health.
	 * @return the name, in lower case with dashes
	 */
	public String id() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}

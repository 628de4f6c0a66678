package io.github.steadyjobs;

/**
 * How safely a job is stored, from the least to the most safe level.
 */
public enum Durability {

	/**
	 * Redis has confirmed the job. The job is lost if the primary is lost before a
	 * replica has received it: replication lags by milliseconds, or by as long as a
	 * replica is unavailable.
	 */
	STORED,

	/**
	 * At least one replica has acknowledged the job as well. The job survives the loss of
	 * the primary if that replica, or another one that has received as much, takes over.
	 * A replica acknowledges what it has received, not what it has written to disk.
	 */
	REPLICATED

}

package io.github.steadyjobs;

/**
 * How safely a job is stored, from less to more.
 */
public enum Durability {

	/**
	 * Redis has confirmed the job. It is lost if the primary is lost before a replica has
	 * it too: replication lags by milliseconds, or by as long as a replica is
	 * unavailable.
	 */
	STORED,

	/**
	 * At least one replica has acknowledged the job as well. It outlives the primary if
	 * that replica, or one that has received as much, takes over. A replica acknowledges
	 * what it has received, not what it has written to disk.
	 */
	REPLICATED

}

package io.github.steadyjobs;

/** How safely a job is stored. The levels are in ascending order of safety. */
public enum Durability {

	/**
	 * Redis has confirmed that the job is stored. The job is lost if the primary is lost
	 * before a replica has received it: replication usually lags by milliseconds, but by
	 * more while a replica is unavailable.
	 */
	STORED,

	/**
	 * At least one replica has also acknowledged the job. The job survives the loss of
	 * the primary if that replica, or another replica that has received as much data,
	 * takes over. A replica acknowledges what it has received, not what it has written to
	 * disk.
	 */
	REPLICATED

}

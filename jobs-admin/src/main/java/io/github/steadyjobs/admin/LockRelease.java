package io.github.steadyjobs.admin;

/**
 * The result of releasing a lock.
 */
public enum LockRelease {

	/** The job no longer has the lock. */
	RELEASED,

	/** Another job has the lock and keeps it. */
	CHANGED,

	/** No job has the lock. */
	NOT_LOCKED

}

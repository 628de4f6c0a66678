package io.github.steadyjobs.admin;

/**
 * The result of releasing a lock.
 */
public enum LockRelease {

	/** The lock was released. */
	RELEASED,

	/** Another job holds the lock and keeps it. */
	CHANGED,

	/** No job holds the lock. */
	NOT_LOCKED

}

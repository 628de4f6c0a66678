package io.github.steadyjobs.admin;

/**
 * What came of releasing a lock.
 */
public enum LockRelease {

	/**
	 * The job has the lock no more.
	 */
	RELEASED,

	/**
	 * Another job has the lock, and keeps it.
	 */
	CHANGED,

	/**
	 * No job has the lock.
	 */
	NOT_LOCKED

}

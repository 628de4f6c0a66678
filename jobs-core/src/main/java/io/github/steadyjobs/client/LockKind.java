package io.github.steadyjobs.client;

/**
 * Which jobs or runs a lock keeps out, and for how long.
 */
public enum LockKind {

	/** Equal jobs, until the job is claimed. */
	UNTIL_EXECUTING('u'),

	/** Equal jobs, until the job has ended. */
	UNTIL_EXECUTED('e'),

	/** Equal jobs until the job has ended. A duplicate of a running job runs after it. */
	UNTIL_EXECUTED_AND_ONCE_MORE('a'),

	/** Equal jobs, for a period of time. */
	WITHIN('w'),

	/** Runs of equal jobs, while the job runs. */
	WHILE_EXECUTING('m'),

	/** Keeps nothing out. Only positions are stored for the job. */
	NONE('n');

	private final char letter;

	LockKind(char letter) {
		this.letter = letter;
	}

	/**
	 * Return a lock of this kind in the form that {@code enqueue.lua} expects.
	 * @param ttl the milliseconds after which the lock no longer counts
	 * @param digest the text to lock, without white space
	 */
	public String lock(long ttl, String digest) {
		return this.letter + Long.toHexString(ttl) + " " + digest;
	}

	char letter() {
		return this.letter;
	}

}

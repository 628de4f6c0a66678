package io.github.steadyjobs.client;

/**
 * What the lock of a job keeps out, and for how long.
 */
public enum LockKind {

	/** Equal jobs, until the job is claimed. */
	UNTIL_EXECUTING('u'),

	/** Equal jobs, until the job has ended. */
	UNTIL_EXECUTED('e'),

	/**
	 * Equal jobs, until the job has ended. A duplicate of a running job runs after it.
	 */
	UNTIL_EXECUTED_AND_ONCE_MORE('a'),

	/** Equal jobs, for a time. */
	WITHIN('w'),

	/** Runs of equal jobs, while the job runs. */
	WHILE_EXECUTING('m'),

	/** Nothing: only positions are kept for the job. */
	NONE('n');

	private final char letter;

	LockKind(char letter) {
		this.letter = letter;
	}

	/**
	 * Return a lock of this kind as {@code enqueue.lua} takes it.
	 * @param ttl milliseconds after which the lock no longer counts
	 * @param digest what is locked, without white space
	 */
	public String lock(long ttl, String digest) {
		return this.letter + Long.toHexString(ttl) + " " + digest;
	}

	char letter() {
		return this.letter;
	}

}

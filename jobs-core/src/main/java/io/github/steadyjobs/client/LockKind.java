package io.github.steadyjobs.client;

/** The kinds of locks: which jobs or runs a lock keeps out, and for how long. */
public enum LockKind {

	/** Keeps out equal jobs until the job is claimed. */
	UNTIL_EXECUTING('u'),

	/** Keeps out equal jobs until the job has ended. */
	UNTIL_EXECUTED('e'),

	/** Like UNTIL_EXECUTED, but the newest duplicate of a running job runs after it. */
	UNTIL_EXECUTED_AND_ONCE_MORE('a'),

	/** Keeps out equal jobs for a period of time. */
	WITHIN('w'),

	/** Keeps equal jobs from running while the job is running. */
	WHILE_EXECUTING('m'),

	/** Keeps nothing out. Only positions are stored for the job. */
	NONE('n');

	private final char letter;

	LockKind(char letter) {
		this.letter = letter;
	}

	/**
	 * Return a lock of this kind in the form that {@code enqueue.lua} expects.
	 * @param ttl the milliseconds after which the lock expires
	 * @param digest the digest that equal jobs share, without white space
	 */
	public String lock(long ttl, String digest) {
		return this.letter + Long.toHexString(ttl) + " " + digest;
	}

	/** Return the kind of a lock in the form that {@link #lock} returns. */
	public static LockKind of(String lock) {
		for (LockKind kind : values()) {
			if (kind.letter == lock.charAt(0)) {
				return kind;
			}
		}
		throw new IllegalArgumentException("'" + lock + "' is not a lock");
	}

	char letter() {
		return this.letter;
	}

}

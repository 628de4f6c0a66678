package io.github.steadyjobs.redis;

/**
 * The lock that a job is to be stored with.
 *
 * @param kind what it keeps away
 * @param ttl milliseconds after which it counts no more
 * @param digest what is locked, without white space
 * @param positions how new the data has to be that the job sees, as
 * {@code source=position} joined by {@code ;}, often empty
 */
public record NewLock(LockKind kind, long ttl, String digest, String positions) {

	/**
	 * Return the lock with positions.
	 * @param positions the positions
	 * @return a lock that has them
	 */
	public NewLock with(String positions) {
		return new NewLock(this.kind, this.ttl, this.digest, positions);
	}

	/**
	 * Return the lock as scripts take it.
	 */
	String text() {
		String lock = this.kind.letter() + Long.toHexString(this.ttl) + " " + this.digest;
		return this.positions.isEmpty() ? lock : lock + " " + this.positions;
	}

}

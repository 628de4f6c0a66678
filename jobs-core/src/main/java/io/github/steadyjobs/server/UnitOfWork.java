package io.github.steadyjobs.server;

import io.github.steadyjobs.redis.JobToken;

/**
 * A claimed job on its way through a worker.
 */
final class UnitOfWork {

	private final JobToken token;

	private final byte[] payload;

	private final long claimedAt;

	private volatile boolean givenBack;

	UnitOfWork(JobToken token, byte[] payload, long claimedAt) {
		this.token = token;
		this.payload = payload;
		this.claimedAt = claimedAt;
	}

	JobToken token() {
		return this.token;
	}

	String queue() {
		return this.token.queue();
	}

	byte[] payload() {
		return this.payload;
	}

	/**
	 * Redis time of the claim, in milliseconds since the epoch.
	 */
	long claimedAt() {
		return this.claimedAt;
	}

	/**
	 * Note that the job was put back to its queue while it still runs here, so that
	 * nothing is settled when it ends.
	 */
	void giveBack() {
		this.givenBack = true;
	}

	boolean isGivenBack() {
		return this.givenBack;
	}

	@Override
	public String toString() {
		return this.token.id() + " of queue " + this.token.queue();
	}

}

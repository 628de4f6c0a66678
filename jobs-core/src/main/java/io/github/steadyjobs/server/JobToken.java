package io.github.steadyjobs.server;

import org.jspecify.annotations.Nullable;

/**
 * Gives the right to settle a job. The token names the claim and the process that made
 * the claim. It becomes invalid when the job is settled, when the process is presumed
 * dead, or when the process claims the job again.
 *
 * @param queue the queue of the job
 * @param process the name under which the process has joined the queue
 * @param id the id of the job
 * @param claim the capsule and the number of the claim; ends with {@link #ONCE} if the
 * job must not run twice
 */
record JobToken(String queue, String process, String id, String claim) {

	/** The last character of the claim if the job must not run twice. */
	static final String ONCE = "o";

	/** Return whether the job must not run a second time. */
	boolean isOnce() {
		return this.claim.endsWith(ONCE);
	}

	// Each run looks up tokens several times, and the methods that Java generates for a
	// record are slow until they are compiled.
	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof JobToken that && this.id.equals(that.id) && this.claim.equals(that.claim)
				&& this.queue.equals(that.queue) && this.process.equals(that.process);
	}

	@Override
	public int hashCode() {
		return this.id.hashCode();
	}

}

package io.github.steadyjobs.server;

/**
 * The right to settle a job: it names the process that claimed the job, and the claim. A
 * token no longer counts once its process was taken for dead, or once its process has
 * claimed the same job again.
 *
 * @param queue the queue of the job
 * @param process the name under which the process has joined the queue
 * @param id the id of the job
 * @param claim the capsule, the number of the claim and its mark
 */
record JobToken(String queue, String process, String id, String claim) {

	/** The mark at the end of a claim whose jobs must not run twice. */
	static final String ONCE = "o";

	/** Return whether the job must not run a second time. */
	boolean isOnce() {
		return this.claim.endsWith(ONCE);
	}

}

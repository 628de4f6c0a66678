package io.github.steadyjobs.server;

/**
 * Gives the right to settle a job. It names the process that claimed the job, and the
 * claim. A token is no longer valid once its process was taken for dead, or once its
 * process has claimed the same job again.
 *
 * @param queue the queue of the job
 * @param process the name under which the process has joined the queue
 * @param id the id of the job
 * @param claim the capsule, the number of the claim and its mark
 */
record JobToken(String queue, String process, String id, String claim) {

	/** Ends the claim part of a token if the job must not run twice. */
	static final String ONCE = "o";

	/** Return whether the job must not run a second time. */
	boolean isOnce() {
		return this.claim.endsWith(ONCE);
	}

}

package io.github.steadyjobs.redis;

/**
 * What entitles to settle a job: who claimed it, and by which claim. A process that was
 * taken for dead, and a thread that was overtaken by a later claim of its own process,
 * hold tokens that count no more.
 *
 * @param queue the queue of the job
 * @param process the name under which the process has joined the queue
 * @param id the id of the job
 * @param claim the capsule, the number of the claim and its mark
 */
public record JobToken(String queue, String process, String id, String claim) {

	/**
	 * Return whether the job must not run a second time.
	 * @return whether it may run once only
	 */
	public boolean isOnce() {
		return ClaimRequest.isOnce(this.claim);
	}

}

package io.github.steadyjobs.redis;

/**
 * A claim of jobs for a capsule. Sent again with the same number, it gets the same
 * answer.
 *
 * @param queue the queue
 * @param process the name under which the process has joined the queue
 * @param capsule the capsule
 * @param number one more than that of the capsule's claim before on this queue
 * @param wanted how many jobs are wanted
 */
public record ClaimRequest(String queue, String process, String capsule, long number, int wanted) {

	/**
	 * Return what proves that a job was given out by this claim.
	 * @return the token, without the process
	 */
	public String token() {
		return this.capsule + "/" + this.number;
	}

}

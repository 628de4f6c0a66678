package io.github.steadyjobs.redis;

/**
 * A claim of jobs for a capsule. Sent again with the same number, it gets the same
 * answer.
 *
 * @param queue the queue
 * @param process the name under which the process has joined the queue
 * @param capsule the capsule
 * @param number one more than that of the capsule's claim before on this queue
 * @param wanted how many jobs are wanted; no claim gets more than 1,000
 * @param once whether the jobs must not run a second time, whatever happens to the first
 * run
 * @param forSuspect whether one job is wanted that may be to blame for the death of
 * processes, and no others
 */
public record ClaimRequest(String queue, String process, String capsule, long number, int wanted, boolean once,
		boolean forSuspect) {

	/**
	 * What a token ends with whose job must not run a second time.
	 */
	private static final String ONCE = "o";

	/**
	 * Return what proves that a job was given out by this claim.
	 * @return the token, without the process
	 */
	public String token() {
		return this.capsule + "/" + this.number + mark();
	}

	String mark() {
		return this.once ? ONCE : "";
	}

	static boolean isOnce(String token) {
		return token.endsWith(ONCE);
	}

}

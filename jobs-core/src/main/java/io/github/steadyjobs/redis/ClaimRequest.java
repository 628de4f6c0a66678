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
 * @param marks what the tokens have to say: {@link #ONCE}, {@link #SUSPECT}, both in this
 * order, or nothing
 */
public record ClaimRequest(String queue, String process, String capsule, long number, int wanted, String marks) {

	/**
	 * The jobs must not run a second time, whatever happens to the first run.
	 */
	public static final String ONCE = "o";

	/**
	 * A job is wanted that may be to blame for the death of processes.
	 */
	public static final String SUSPECT = "s";

	/**
	 * Return whether a suspect is wanted.
	 * @return whether it is
	 */
	public boolean isForSuspect() {
		return this.marks.endsWith(SUSPECT);
	}

	/**
	 * Return what proves that a job was given out by this claim.
	 * @return the token, without the process
	 */
	public String token() {
		return this.capsule + "/" + this.number + this.marks;
	}

}

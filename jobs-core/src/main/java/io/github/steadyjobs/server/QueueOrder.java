package io.github.steadyjobs.server;

/**
 * Shares out room for jobs among the queues of a capsule. Used by one thread at a time.
 */
interface QueueOrder {

	/**
	 * Share out room. Shares are computed anew for every fetch, because fixed shares
	 * could starve some queues.
	 * @param room the number of jobs for which there is room, at least 1
	 * @param among whether each queue of the capsule may have jobs; at least one is true
	 * @param shares the number of jobs to request from each queue of the capsule. This
	 * method adds the room to these numbers, or only some of the room if fewer jobs are
	 * wanted now
	 */
	void share(int room, boolean[] among, int[] shares);

	/** Return the index of the first queue that may have jobs. */
	static int first(boolean[] among) {
		int first = 0;
		while (!among[first]) {
			first++;
		}
		return first;
	}

}

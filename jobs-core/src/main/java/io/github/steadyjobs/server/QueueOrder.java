package io.github.steadyjobs.server;

/**
 * Shares out room for jobs among the queues of a capsule. Used by one thread at a time.
 */
interface QueueOrder {

	/**
	 * Share out room. This is decided anew for every fetch, because fixed shares would
	 * starve a queue.
	 * @param room how many jobs there is room for, at least 1
	 * @param among which queues of the capsule may have jobs, at least one of them
	 * @param shares how many jobs to ask each queue of the capsule for. The room is added
	 * to these numbers: all of it, unless no queue is to be asked now
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

package io.github.steadyjobs;

/**
 * Told about duplicates among the jobs that this application enqueues, for figures and
 * reports. Called on the thread that enqueues, once Redis has answered; must be thread
 * safe and quick. What it throws is logged and changes nothing.
 */
@FunctionalInterface
public interface DeduplicationListener {

	/**
	 * Something has become of a job because of an equal one.
	 * @param event what
	 */
	void deduplicated(Event event);

	/**
	 * What has become of a job because of an equal one.
	 *
	 * @param kind what
	 * @param job the name of the job
	 * @param queue the queue of the job
	 * @param id the id that the job has, or would have had
	 */
	record Event(Kind kind, String job, String queue, String id) {

	}

	/**
	 * What can become of a job because of an equal one.
	 */
	enum Kind {

		/**
		 * It was dropped as a duplicate.
		 */
		DROPPED,

		/**
		 * It was dropped as a duplicate of a job that runs, and runs after that unless a
		 * newer one does.
		 */
		RUNS_ONCE_MORE,

		/**
		 * It was stored, and took over the lock of a job that is gone without having
		 * ended, as after a loss of data.
		 */
		TAKEN_OVER,

		/**
		 * It was stored although an equal job is still there, whose
		 * {@linkplain Idempotent#ttl() time} has passed.
		 */
		EXPIRED,

		/**
		 * It was stored, and would have been a duplicate if it were {@link Idempotent}:
		 * found by {@code steadyjobs.idempotence.dry-run}.
		 */
		POSSIBLE

	}

}

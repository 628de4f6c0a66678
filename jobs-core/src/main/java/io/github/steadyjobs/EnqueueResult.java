package io.github.steadyjobs;

import java.time.Instant;

/**
 * What became of a request to enqueue a job.
 */
public sealed interface EnqueueResult {

	/**
	 * Return the id of the job.
	 * @return 24 lower-case hex digits
	 */
	String id();

	/**
	 * Return whether the job will run.
	 * @return {@code false} if an interceptor stopped it
	 */
	boolean accepted();

	/**
	 * Return this result if the job was accepted.
	 * @return this result
	 * @throws JobNotAcceptedException if it was not
	 */
	default EnqueueResult orElseThrow() {
		if (!accepted()) {
			throw new JobNotAcceptedException(this);
		}
		return this;
	}

	/**
	 * The job is stored and can run now.
	 *
	 * @param id the id of the job
	 */
	record Enqueued(String id) implements EnqueueResult {

		@Override
		public boolean accepted() {
			return true;
		}

	}

	/**
	 * The job is stored and runs later.
	 *
	 * @param id the id of the job
	 * @param at when it is due, to the millisecond, by this process's clock
	 */
	record Scheduled(String id, Instant at) implements EnqueueResult {

		@Override
		public boolean accepted() {
			return true;
		}

	}

	/**
	 * The job is checked and ready to be stored when the current transaction commits.
	 *
	 * @param id the id that the job will have
	 */
	record Deferred(String id) implements EnqueueResult {

		@Override
		public boolean accepted() {
			return true;
		}

	}

	/**
	 * An interceptor did not let the job pass. Nothing was stored.
	 *
	 * @param id the id that the job would have had
	 */
	record Stopped(String id) implements EnqueueResult {

		@Override
		public boolean accepted() {
			return false;
		}

	}

}

package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Is notified of the results of requests to enqueue jobs, for metrics and reports. Each
 * request is reported once, when its result is known: in a bulk push, when Redis has
 * answered it; in a transaction, after the commit; for a job that has to wait for Redis,
 * when that wait ends. A bulk push that fails before anything is sent reports the
 * requests up to and including the invalid request. Jobs that a rollback drops are not
 * reported. Nor are requests that do not identify a job: enqueueing such a request throws
 * an exception.
 * <p>
 * Listeners are beans, called in {@link org.springframework.core.Ordered} order on the
 * thread that enqueues the job, or on the thread that stores jobs that had to wait. They
 * must be thread safe and quick. A listener that enqueues jobs itself must inject an
 * {@code ObjectProvider<JobClient>}, because the client depends on its listeners. An
 * exception thrown by a listener is logged and does not affect the job. The other
 * listeners are still called.
 */
public interface EnqueueListener {

	/**
	 * Redis has stored a job.
	 * @param result {@link EnqueueResult.Enqueued}, {@link EnqueueResult.Scheduled} or,
	 * for an ordered job, {@link EnqueueResult.Merged}
	 * @param overlap whether the job was stored although an equal job existed, and why
	 */
	default void accepted(Requested job, EnqueueResult result, Overlap overlap) {
	}

	/**
	 * A job was dropped because an equal job exists.
	 * @param result the result, which contains the id of the existing job
	 */
	default void duplicate(Requested job, EnqueueResult.Duplicate result) {
	}

	/**
	 * A request has not become a job: it was invalid, an interceptor stopped it or threw
	 * an exception, or Redis did not confirm it. In the last case, the job may still be
	 * stored; the reason says whether that is possible.
	 * @param job the job that was to be enqueued
	 * @param reason the exception, or {@code null} if an interceptor stopped the request
	 */
	default void refused(Requested job, @Nullable Throwable reason) {
	}

	/**
	 * A job was lost after its caller had been notified that the job was accepted. The
	 * transaction had committed, or the job was waiting in the
	 * {@linkplain EnqueueResult.Buffered buffer}, and Redis refused the job or did not
	 * accept it in time. The job is also logged at level ERROR. Called instead of
	 * {@link #refused}; the default implementation calls that method.
	 * @param job the job that was to be enqueued
	 * @param payload the job as it would have been stored, so that it can be enqueued by
	 * other means
	 * @param reason the last failure that Redis reported; if it is a
	 * {@link JobStoreTimeoutException}, the job may still be stored
	 */
	default void lost(Requested job, JobPayload payload, JobStoreException reason) {
		refused(job, reason);
	}

	/**
	 * The requested job, after any changes by interceptors.
	 *
	 * @param id the id that the job has, or would have had
	 * @param name the name of the job
	 * @param queue the queue of the job
	 */
	record Requested(String id, String name, String queue) {

	}

	/** Whether a job was stored although an equal job existed, and why. */
	enum Overlap {

		/** There was no equal job. */
		NONE,

		/**
		 * The job took over the lock of an equal job that disappeared without ending, for
		 * example because Redis lost data.
		 */
		TAKEN_OVER,

		/**
		 * An equal job still exists but no longer prevents duplicates, because its
		 * {@linkplain Idempotent#ttl() time to live} has passed.
		 */
		EXPIRED,

		/**
		 * The job would have been a duplicate if it had been {@link Idempotent}. Reported
		 * only if {@code steadyjobs.idempotence.dry-run} is set.
		 */
		POSSIBLE

	}

}

package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Is notified of the result of requests to enqueue jobs, for figures and reports. Each
 * request is reported once, when its end is known: in a bulk push when Redis has answered
 * for it, in a transaction after the commit, for a job that had to wait for Redis later.
 * A bulk push that throws before anything is sent reports the requests up to the one at
 * fault. Jobs that a rollback drops are not reported, nor are requests that mean no job,
 * which throw.
 * <p>
 * Listeners are beans, called in {@link org.springframework.core.Ordered} order on the
 * thread that enqueues, or on the one that stores jobs that had to wait. They must be
 * thread safe and quick, and one that enqueues jobs itself takes an
 * {@code ObjectProvider<JobClient>}, because the client needs it. An exception of a
 * listener is logged, changes nothing for the job, and does not prevent the call of other
 * listeners.
 */
public interface EnqueueListener {

	/**
	 * Redis has stored a job.
	 * @param result {@link EnqueueResult.Enqueued}, {@link EnqueueResult.Scheduled} or,
	 * for an ordered job, {@link EnqueueResult.Merged}
	 * @param overlap whether there was an equal job that did not keep this one out
	 */
	default void accepted(Requested job, EnqueueResult result, Overlap overlap) {
	}

	/**
	 * A job was dropped because an equal one exists.
	 * @param result names the existing job
	 */
	default void duplicate(Requested job, EnqueueResult.Duplicate result) {
	}

	/**
	 * A request has not become a job: it was invalid, an interceptor stopped it or threw,
	 * or Redis did not confirm it. In the last case the job may still be stored, which
	 * the reason says.
	 * @param job the job that was to be enqueued
	 * @param reason the exception, or {@code null} if an interceptor stopped the request
	 */
	default void refused(Requested job, @Nullable Throwable reason) {
	}

	/**
	 * A job is lost after it was reported to its caller as accepted: its transaction has
	 * committed, or it waited in the {@linkplain EnqueueResult.Buffered buffer}, and
	 * Redis did not take it in time or refused it. The log has it too, at level ERROR.
	 * Called instead of {@link #refused}, which it calls unless this method is
	 * overridden.
	 * @param job the job that was to be enqueued
	 * @param payload the job as it would be stored, to be enqueued by other means
	 * @param reason what Redis reported last; with a {@link JobStoreTimeoutException} the
	 * job may still be stored
	 */
	default void lost(Requested job, JobPayload payload, JobStoreException reason) {
		refused(job, reason);
	}

	/**
	 * The job that a request asked for, as interceptors have changed it.
	 *
	 * @param id the id that the job has, or would have had
	 * @param name the name of the job
	 * @param queue the queue of the job
	 */
	record Requested(String id, String name, String queue) {

	}

	/** Whether a job was stored in addition to, or instead of, an equal one. */
	enum Overlap {

		/** There was no equal job. */
		NONE,

		/**
		 * The job took over the lock of an equal one that has vanished without ending,
		 * for example after a loss of data.
		 */
		TAKEN_OVER,

		/**
		 * An equal job is still there, but its {@linkplain Idempotent#ttl() time} has
		 * passed.
		 */
		EXPIRED,

		/**
		 * The job would have been a duplicate if it were {@link Idempotent}: found by
		 * {@code steadyjobs.idempotence.dry-run}.
		 */
		POSSIBLE

	}

}

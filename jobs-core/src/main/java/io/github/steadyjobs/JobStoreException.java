package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when Redis refused a call, was unavailable, or did not answer in time. The
 * message and the {@link #reason()} say why.
 * <p>
 * Two subtypes show whether the call can simply be repeated. After a
 * {@link JobStoreUnavailableException}, nothing has changed in Redis. After a
 * {@link JobStoreTimeoutException}, it is unknown whether anything has changed. A
 * {@link BulkEnqueueException} has this information for each job of a bulk push. This
 * class itself is thrown if Redis refused the call, and by a commit whose jobs could not
 * be stored, in which case the message says so.
 */
public class JobStoreException extends JobException {

	private final Reason reason;

	/**
	 * Create an exception for a call that was refused.
	 * @param message what was refused, and why
	 */
	public JobStoreException(String message) {
		this(message, null);
	}

	/**
	 * Create an exception for a call that was refused.
	 * @param message what was refused, and why
	 * @param cause the failure that Redis reported
	 */
	public JobStoreException(String message, @Nullable Throwable cause) {
		this(Reason.REFUSED, message, cause);
	}

	/**
	 * Create an exception.
	 * @param reason why there is no usable answer
	 * @param message the reason in words, and the resulting state in Redis
	 * @param cause the failure that Redis reported
	 */
	public JobStoreException(Reason reason, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.reason = reason;
	}

	/** Return why there is no usable answer. */
	public Reason reason() {
		return this.reason;
	}

	/** Why there is no usable answer. */
	public enum Reason {

		/**
		 * The call was refused, either by Redis or before it was sent. The message says
		 * which of the two.
		 */
		REFUSED,

		/**
		 * Redis has reached its {@code maxmemory} and accepts no new jobs. Nothing was
		 * stored. Jobs that were stored earlier still run.
		 */
		FULL,

		/**
		 * The key of an ordered job has no room for this payload: as many payloads as
		 * {@code steadyjobs.sequential.limit} allows (100,000 by default), or 64 MB of
		 * payloads, already wait for the key. This payload was not stored. There will be
		 * room when some of the waiting payloads have run.
		 */
		KEY_FULL,

		/**
		 * A Redis key holds data that does not belong there. The message names the key,
		 * or its queue if only the queue is known. Nothing was changed.
		 */
		DAMAGED,

		/**
		 * Redis is up but accepts no calls for now: it is loading its data, is a replica,
		 * has too few replicas or is running a long script, or part of its cluster is
		 * missing. Nothing was changed.
		 */
		NOT_READY,

		/**
		 * There is no connection to Redis, or too many calls are already waiting for an
		 * answer. Nothing was sent.
		 */
		UNREACHABLE,

		/**
		 * The call was sent but not answered in time. Redis may have executed it, or may
		 * still do so.
		 */
		UNANSWERED

	}

}

package io.github.steadyjobs;

import org.jspecify.annotations.Nullable;

/**
 * Redis refused a call, was unavailable, or did not answer in time. The message and the
 * {@link #reason()} say why.
 * <p>
 * Two subtypes say whether a call can simply be made again:
 * {@link JobStoreUnavailableException} has changed nothing,
 * {@link JobStoreTimeoutException} leaves that open. {@link BulkEnqueueException} says it
 * of each job of a bulk push. An exception of this class itself is thrown if Redis
 * refused the call, and by a commit whose jobs are not stored, as its message says.
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
	 * @param cause what Redis reported
	 */
	public JobStoreException(String message, @Nullable Throwable cause) {
		this(Reason.REFUSED, message, cause);
	}

	/**
	 * Create an exception.
	 * @param reason why there is no usable answer
	 * @param message the reason in words, and what is true in Redis
	 * @param cause what Redis reported
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

		/** The call was refused, by Redis or before it was sent, as the message says. */
		REFUSED,

		/**
		 * Redis has reached its {@code maxmemory} and takes no new jobs. Nothing was
		 * stored. Stored jobs still run.
		 */
		FULL,

		/**
		 * As many payloads wait for the key of an ordered job as may: 1,000, or 1 MB.
		 * This one was not stored. A worker that runs the key makes room.
		 */
		KEY_FULL,

		/**
		 * A key holds something that it must not hold. The message names it, or its queue
		 * where only that is known. Nothing was changed.
		 */
		DAMAGED,

		/**
		 * Redis is up but takes no calls for now: it loads its data, is a replica or
		 * lacks one, runs a long script, or a part of its cluster is missing. Nothing was
		 * changed.
		 */
		NOT_READY,

		/**
		 * There is no connection to Redis, or too many calls wait for an answer already.
		 * Nothing was sent.
		 */
		UNREACHABLE,

		/**
		 * The call was sent and not answered in time. It may have been carried out, or
		 * may still be.
		 */
		UNANSWERED

	}

}

package io.github.steadyjobs.client;

import io.github.steadyjobs.BulkEnqueueException.Outcome;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.redis.UnansweredCall;
import org.jspecify.annotations.Nullable;

/**
 * A job that waits in an {@link Outbox}, or might. Not thread safe.
 */
final class Waiting {

	private final JobDraft draft;

	private final String lane;

	/** The call that may have stored it. */
	private @Nullable UnansweredCall call;

	/** When to give it up, {@code null} for never. */
	private @Nullable Long until;

	Waiting(JobDraft draft, @Nullable UnansweredCall call) {
		this.draft = draft;
		this.lane = draft.lane();
		this.call = call;
	}

	JobDraft draft() {
		return this.draft;
	}

	String lane() {
		return this.lane;
	}

	/**
	 * Return how large the payload is, in bytes.
	 */
	long size() {
		return this.draft.payload().length;
	}

	@Nullable UnansweredCall call() {
		return this.call;
	}

	void call(@Nullable UnansweredCall call) {
		this.call = call;
	}

	void until(@Nullable Long until) {
		this.until = until;
	}

	boolean isOver() {
		return (this.until != null && System.nanoTime() - this.until > 0)
				|| (this.call != null && this.call.isTooOld());
	}

	/**
	 * Return whether the job, which was not confirmed, may be stored later, and not
	 * twice.
	 */
	boolean mayPass(Outcome outcome, @Nullable JobStoreException failure) {
		if (this.call != null || outcome == Outcome.NOT_SENT || failure == null) {
			return true;
		}
		Reason reason = failure.reason();
		return outcome == Outcome.REFUSED
				&& (reason == Reason.NOT_READY || reason == Reason.FULL || reason == Reason.KEY_FULL);
	}

}

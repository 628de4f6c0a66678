package io.github.steadyjobs.client;

import java.time.Instant;
import java.util.List;

import io.github.steadyjobs.BulkEnqueueException.Outcome;
import io.github.steadyjobs.Durability;
import io.github.steadyjobs.EnqueueListener.Overlap;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobRequest.Options;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.client.Admission.Kind;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.Sequence;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.QueueRef;
import org.jspecify.annotations.Nullable;

/**
 * A job on its way from a request to Redis, filled in by each step: the job of the
 * request, changes by interceptors, the stored form, the answer of Redis. Not thread
 * safe: it belongs to the thread that enqueues.
 */
final class JobDraft {

	private static final String DEFAULT_QUEUE = "default";

	private static final byte[] UNWRITTEN = {};

	private String id;

	private String name;

	private List<@Nullable Object> arguments;

	private Options options;

	private @Nullable JobDefinition definition;

	private String queue;

	private byte[] payload = UNWRITTEN;

	private @Nullable Long due;

	private NewJob.@Nullable Expiry expiry;

	private long written;

	private String lock = "";

	private boolean keepConsistency;

	private NewJob.@Nullable Ordering ordering;

	private @Nullable String lane;

	private Overlap overlap = Overlap.NONE;

	/**
	 * The caller may read it while another thread notes how a job ended that was kept.
	 */
	private volatile @Nullable EnqueueResult result;

	private Outcome outcome = Outcome.ANSWERED;

	/** The call that may have stored it. */
	private @Nullable EnqueueCall call;

	/** When to give it up while it waits, {@code null} for never. */
	private @Nullable Long until;

	/**
	 * Create a draft of a job that is found.
	 * @param definition the job, or {@code null} if it is not known here
	 */
	JobDraft(String id, String name, List<@Nullable Object> arguments, Options options,
			@Nullable JobDefinition definition) {
		this.id = id;
		this.name = name;
		this.arguments = arguments;
		this.options = options;
		this.definition = definition;
		this.queue = (options.queue() != null) ? options.queue() : ownQueue();
	}

	private String ownQueue() {
		String own = (this.definition != null) ? this.definition.queue() : DEFAULT_QUEUE;
		boolean isElsewhere = this.definition == null || this.definition.method() == null;
		// The same as in applications that know the job: its queue is named after it.
		boolean isNamedAfterIt = isElsewhere && own.equals(DEFAULT_QUEUE) && this.options.key() != null
				&& Names.isName(this.name);
		return isNamedAfterIt ? this.name : own;
	}

	/** Return the job as applications see it: by its name, and with its queue. */
	JobRequest request() {
		return JobRequest.named(this.name, this.arguments.toArray()).options(this.options).queue(this.queue);
	}

	/** Take over a change of the same job. */
	void change(List<@Nullable Object> arguments, Options options) {
		this.queue = (options.queue() != null) ? options.queue() : ownQueue();
		this.arguments = arguments;
		this.options = options;
	}

	/** Become another job, under the same id. */
	void become(JobDraft other) {
		// Interceptors saw the queue of the former job, not the queue of this one.
		boolean shown = this.options.queue() == null && this.queue.equals(other.options.queue());
		this.queue = shown ? other.ownQueue() : other.queue;
		this.name = other.name;
		this.arguments = other.arguments;
		this.options = other.options;
		this.definition = other.definition;
	}

	/**
	 * Set the stored form, which replaces the arguments: a draft that waits for a commit
	 * must not hold both.
	 */
	void write(byte[] payload, @Nullable Long due, NewJob.@Nullable Expiry expiry, long now) {
		this.payload = payload;
		this.due = due;
		this.expiry = expiry;
		this.written = now;
		this.arguments = List.of();
	}

	/** Become the job of a key. */
	void order(String id, NewJob.Ordering ordering) {
		this.id = id;
		this.ordering = ordering;
		this.lane = QueueRef.allOf(this.queue);
	}

	void lock(String lock, boolean keepConsistency) {
		this.lock = lock;
		this.keepConsistency = keepConsistency;
	}

	/**
	 * Record how new the data that the job sees must be. It follows the lock.
	 * @param positions the positions, empty if no source knows one
	 */
	void see(String positions) {
		this.lock = positions.isEmpty() ? this.lock : this.lock + " " + positions;
		// It may be pushed again.
		this.keepConsistency = false;
	}

	void overlap(Overlap overlap) {
		this.overlap = overlap;
	}

	void stop() {
		this.result = new EnqueueResult.Stopped(this.id);
	}

	void defer() {
		this.result = new EnqueueResult.Deferred(this.id);
	}

	/**
	 * Note that the job is stored later.
	 * @param buffered whether its caller learns of it, because the job does not wait for
	 * a commit
	 */
	void keep(boolean buffered) {
		this.outcome = Outcome.ANSWERED;
		if (buffered) {
			this.result = new EnqueueResult.Buffered(this.id);
		}
	}

	/** Record the answer of Redis. */
	void answer(Admission admission, Durability reached) {
		if (admission.kind() == Kind.MERGED) {
			this.result = new EnqueueResult.Merged(this.id, reached);
		}
		else {
			this.result = admission.isStored() ? stored(reached)
					: new EnqueueResult.Duplicate(admission.holder(), admission.kind() == Kind.RUNS_ONCE_MORE);
		}
		if (admission.kind() == Kind.STORED_FOR_LOST) {
			this.overlap = Overlap.TAKEN_OVER;
		}
		else if (admission.kind() == Kind.STORED_AFTER_EXPIRY) {
			this.overlap = Overlap.EXPIRED;
		}
	}

	/**
	 * Note that Redis has not confirmed the job.
	 * @param call the call that may have stored it
	 */
	void fail(Outcome outcome, @Nullable EnqueueCall call) {
		this.outcome = outcome;
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

	private EnqueueResult stored(Durability reached) {
		return (this.due != null) ? new EnqueueResult.Scheduled(this.id, Instant.ofEpochMilli(this.due), reached)
				: new EnqueueResult.Enqueued(this.id, reached);
	}

	/** Return the job for the script, with the remaining delays. */
	NewJob toStore(long now) {
		Long delay = (this.due != null && this.due > now) ? this.due - now : null;
		NewJob.Expiry expiry = (this.expiry != null)
				? new NewJob.Expiry(this.expiry.delay() - (now - this.written), this.expiry.offset()) : null;
		return new NewJob(this.id, this.payload, delay, this.lock, this.ordering, expiry);
	}

	String id() {
		return this.id;
	}

	/** Return the name by which the request names the job, which may be an alias. */
	String name() {
		return this.name;
	}

	List<@Nullable Object> arguments() {
		return this.arguments;
	}

	Options options() {
		return this.options;
	}

	/** Return the job, or {@code null} if it is not known here. */
	@Nullable JobDefinition definition() {
		return this.definition;
	}

	/**
	 * Return how the job keeps its payloads in order, or {@code null} if it does not, or
	 * is not known here.
	 */
	@Nullable Sequence sequence() {
		return (this.definition != null) ? this.definition.sequence() : null;
	}

	String queue() {
		return this.queue;
	}

	/**
	 * Return the lane. Drafts of one lane are pushed together, in order. Drafts without a
	 * key have no order, and a different lane.
	 */
	String lane() {
		return (this.lane != null) ? this.lane : this.queue;
	}

	/** Return what is stored. */
	byte[] payload() {
		return this.payload;
	}

	/** Return the call that may have stored the job. */
	@Nullable EnqueueCall call() {
		return this.call;
	}

	void call(@Nullable EnqueueCall call) {
		this.call = call;
	}

	boolean keepsConsistency() {
		return this.keepConsistency;
	}

	Overlap overlap() {
		return this.overlap;
	}

	/**
	 * Return whether the draft has passed all checks, so that its end is reported where
	 * it is stored.
	 */
	boolean isWritten() {
		return this.payload != UNWRITTEN;
	}

	/**
	 * Return whether the job is to be stored now: no interceptor has stopped it, and it
	 * waits for no commit.
	 */
	boolean isReady() {
		return this.result == null;
	}

	/**
	 * Return how the request has ended or, for a job that is ready, how it ends once
	 * Redis has it.
	 */
	EnqueueResult result() {
		EnqueueResult known = this.result;
		return (known != null) ? known : stored(Durability.STORED);
	}

	/** Return what is known about the job when a push has failed in part. */
	Outcome outcome() {
		return this.outcome;
	}

	@Override
	public String toString() {
		return this.name + "[" + this.id + "]";
	}

}

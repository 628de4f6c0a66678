package io.github.steadyjobs.client;

import java.time.Instant;
import java.util.List;
import java.util.Map;

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
 * A job on its way from a request to Redis. Each step fills in a part: the job of the
 * request, changes by interceptors, the stored form, the answer from Redis. Not thread
 * safe: a draft belongs to the thread that enqueues the job and, if the job has to wait
 * for Redis, later to the thread that sends it.
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

	private EnqueueObserver.Call observed = EnqueueObserver.Call.NONE;

	private Overlap overlap = Overlap.NONE;

	/**
	 * Volatile, because the caller may read the result of a kept job while another thread
	 * records it.
	 */
	private volatile @Nullable EnqueueResult result;

	private Outcome outcome = Outcome.ANSWERED;

	/** The call that may have stored the job. */
	private @Nullable EnqueueCall call;

	/**
	 * The {@link System#nanoTime()} at which to give up on the waiting job; {@code null}
	 * for never.
	 */
	private @Nullable Long until;

	/**
	 * Create a draft of a job that was looked up.
	 * @param definition the job, or {@code null} if it is not known in this application
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
		// A job with a key is ordered. By default, applications that know the job name
		// its queue after the job.
		boolean isNamedAfterIt = isElsewhere && own.equals(DEFAULT_QUEUE) && this.options.key() != null
				&& Names.isName(this.name);
		return isNamedAfterIt ? this.name : own;
	}

	/** Return the request as interceptors and strategies see it: with name and queue. */
	JobRequest request() {
		return JobRequest.named(this.name, this.arguments.toArray()).options(this.options).queue(this.queue);
	}

	/** Apply changes to the arguments and options of the job. */
	void change(List<@Nullable Object> arguments, Options options) {
		boolean shown = isShown(options.queue());
		this.arguments = arguments;
		this.options = options;
		this.queue = (shown || options.queue() == null) ? ownQueue() : options.queue();
	}

	/**
	 * Return whether a queue is the one that interceptors were shown, although the
	 * request named none.
	 */
	private boolean isShown(@Nullable String queue) {
		return this.options.queue() == null && this.queue.equals(queue);
	}

	/** Replace the job with another job, but keep the id. */
	void become(JobDraft other) {
		// If the new request only repeats the queue that interceptors were shown, that
		// queue belongs to the former job and does not apply.
		boolean shown = isShown(other.options.queue());
		this.queue = shown ? other.ownQueue() : other.queue;
		this.name = other.name;
		this.arguments = other.arguments;
		this.options = other.options;
		this.definition = other.definition;
	}

	/** Begin an observed call with this job. */
	EnqueueObserver.Call observe(EnqueueObserver observer) {
		EnqueueObserver.Call call = observer.begin(this.id, this.name, this.queue);
		join(call);
		return call;
	}

	/** Make the job a part of an observed call. */
	void join(EnqueueObserver.Call call) {
		this.observed = call;
	}

	/**
	 * Set the stored form, which replaces the arguments: a draft that waits for a commit
	 * must not keep both in memory.
	 */
	void write(byte[] payload, @Nullable Long due, NewJob.@Nullable Expiry expiry, long now) {
		this.payload = payload;
		this.due = due;
		this.expiry = expiry;
		this.written = now;
		this.arguments = List.of();
	}

	/** Turn the draft into the job of a key. */
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
	 * Append to the lock the positions that the data must have reached when the job runs.
	 * @param positions the positions; empty if no source has a position
	 */
	void see(String positions) {
		this.lock = positions.isEmpty() ? this.lock : this.lock + " " + positions;
		// The draft may be pushed again, and must then keep the same positions.
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
	 * Record that the job will be stored later.
	 * @param buffered whether the caller receives {@code Buffered} as the result, because
	 * the job was not deferred until a commit
	 */
	void keep(boolean buffered) {
		this.outcome = Outcome.ANSWERED;
		if (buffered) {
			this.result = new EnqueueResult.Buffered(this.id);
		}
	}

	/** Record the answer from Redis. */
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
	 * Record that Redis has not confirmed the job.
	 * @param call the call that may have stored the job
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
	 * Return whether the unconfirmed job can still be stored later without the risk of
	 * storing it twice.
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

	/** Return the name that the request uses for the job, which may be an alias. */
	String name() {
		return this.name;
	}

	List<@Nullable Object> arguments() {
		return this.arguments;
	}

	Options options() {
		return this.options;
	}

	/** Return the values to store with the job. */
	Map<String, String> meta() {
		return this.observed.meta(this.options.meta());
	}

	/** Return the job, or {@code null} if it is not known in this application. */
	@Nullable JobDefinition definition() {
		return this.definition;
	}

	/**
	 * Return how the job keeps its payloads in order, or {@code null} if it does not or
	 * if the job is not known in this application.
	 */
	@Nullable Sequence sequence() {
		return (this.definition != null) ? this.definition.sequence() : null;
	}

	String queue() {
		return this.queue;
	}

	/**
	 * Return the lane. Drafts of one lane are pushed together, in order. In the same
	 * queue, drafts without a key are in a different lane from drafts with a key.
	 */
	String lane() {
		return (this.lane != null) ? this.lane : this.queue;
	}

	/** Return the stored form. */
	byte[] payload() {
		return this.payload;
	}

	/** Return the unanswered call that may have stored the job, or {@code null}. */
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
	 * Return whether the draft has passed all checks, so that its result is reported by
	 * the code that stores it.
	 */
	boolean isWritten() {
		return this.payload != UNWRITTEN;
	}

	/**
	 * Return whether the job is to be stored now: no interceptor has stopped it, and it
	 * does not wait for a commit.
	 */
	boolean isReady() {
		return this.result == null;
	}

	/**
	 * Return the result of the request or, for a job that is ready, the result that it
	 * will have when Redis has stored it.
	 */
	EnqueueResult result() {
		EnqueueResult known = this.result;
		return (known != null) ? known : stored(Durability.STORED);
	}

	/** Return the outcome for the job after a push that has partly failed. */
	Outcome outcome() {
		return this.outcome;
	}

	@Override
	public String toString() {
		return this.name + "[" + this.id + "]";
	}

}

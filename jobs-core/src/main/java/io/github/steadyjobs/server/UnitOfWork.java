package io.github.steadyjobs.server;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.RetryRules;
import io.github.steadyjobs.gate.Gate;
import io.github.steadyjobs.ordered.Form;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.QueueRef;
import org.jspecify.annotations.Nullable;

/**
 * A claimed job on its way through a worker, and the context of its run. A job that is
 * given back before it begins cannot begin. A job that has begun can be given back too;
 * its run may then continue. Thread safe.
 */
final class UnitOfWork implements Form.Run, Gate.Candidate {

	private static final byte[] NOTHING = {};

	/**
	 * Also serves as the lock. The unit of work itself is not the lock, because the
	 * application gets it as the job context and could lock it too.
	 */
	private final ClaimedJob job;

	private final long claimSentAt;

	private final long arrivedAt;

	private boolean begun;

	private volatile boolean cutShort;

	private volatile boolean givenBack;

	private volatile boolean cancelled;

	private @Nullable Thread runner;

	private volatile @Nullable Reading reading;

	/** The {@link System#nanoTime()} when the run started; 0 before the start. */
	private volatile long startedAt;

	private @Nullable Outcome outcome;

	/**
	 * Create a unit of work.
	 * @param claimSentAt a value of {@link System#nanoTime()} before which no copy of the
	 * claim was sent
	 * @param arrivedAt the value of {@link System#nanoTime()} when the claim was answered
	 */
	UnitOfWork(ClaimedJob job, long claimSentAt, long arrivedAt) {
		this.job = job;
		this.claimSentAt = claimSentAt;
		this.arrivedAt = arrivedAt;
	}

	/**
	 * Begin to run on the current thread, unless the job was given back.
	 * @return whether the job may run
	 */
	boolean begin() {
		synchronized (this.job) {
			if (this.givenBack) {
				return false;
			}
			this.begun = true;
			this.runner = Thread.currentThread();
			if (this.cancelled) {
				this.runner.interrupt();
			}
			return true;
		}
	}

	/** Record that the run has ended, so that no interrupt for it hits the next run. */
	void end() {
		synchronized (this.job) {
			this.runner = null;
			Thread.interrupted();
		}
	}

	/** Interrupt the run, if it is under way. */
	void interrupt() {
		synchronized (this.job) {
			if (this.runner != null) {
				this.runner.interrupt();
			}
		}
	}

	boolean isUnderWay() {
		synchronized (this.job) {
			return this.runner != null;
		}
	}

	/**
	 * Mark the job as given back, unless it has begun. A job given back cannot begin.
	 * @return whether the job had neither begun nor been given back
	 */
	boolean giveBackUnbegun() {
		synchronized (this.job) {
			if (this.begun || this.givenBack) {
				return false;
			}
			this.givenBack = true;
			return true;
		}
	}

	/**
	 * Mark the job as given back, even if it has begun. The end of a run that has begun
	 * then settles nothing.
	 */
	void giveBack() {
		synchronized (this.job) {
			this.givenBack = true;
		}
	}

	boolean isGivenBack() {
		return this.givenBack;
	}

	/** Make the run end after its current payload, because the process is stopping. */
	void cutShort() {
		this.cutShort = true;
	}

	boolean isCutShort() {
		return this.cutShort;
	}

	/** Interrupt the run, now or when it begins, because the job was cancelled. */
	void cancelRun() {
		synchronized (this.job) {
			if (!this.cancelled) {
				this.cancelled = true;
				interrupt();
			}
		}
	}

	boolean isRunCancelled() {
		return this.cancelled;
	}

	JobToken token() {
		return this.job.token();
	}

	boolean isOf(String queue, String process) {
		return token().queue().equals(queue) && token().process().equals(process);
	}

	/** Return the stored payload, which need not be JSON. */
	byte[] stored() {
		byte[] stored = this.job.payload();
		return (stored != null) ? stored : NOTHING;
	}

	/** Return whether the job was cancelled before it could begin. */
	boolean isCancelled() {
		return this.job.payload() == null;
	}

	@Override
	public long claimedAt() {
		return this.job.claimedAt();
	}

	long arrivedAt() {
		return this.arrivedAt;
	}

	/**
	 * Return whether the claim is so old that other processes may have presumed this
	 * process dead and run the job, without this process knowing. For example, this
	 * process may have been paused just before this call.
	 */
	boolean isOlderThan(Duration age) {
		return System.nanoTime() - this.claimSentAt >= age.toNanos();
	}

	/** Record the payload that was read. Must be called before the run. */
	void read(Reading reading) {
		this.reading = reading;
	}

	/**
	 * Record that the method is about to be called.
	 * @param at the current {@link System#nanoTime()}
	 */
	void started(long at) {
		this.startedAt = at;
	}

	/** Return how long the run has taken so far; {@code null} if it has not started. */
	@Nullable Duration ran() {
		long started = this.startedAt;
		return (started != 0) ? Duration.ofNanos(System.nanoTime() - started) : null;
	}

	/**
	 * Record how the run has ended. Called only by the thread that runs the job. At the
	 * same time, another thread may settle the job differently.
	 */
	void ended(Outcome outcome) {
		this.outcome = outcome;
	}

	@Nullable Outcome outcome() {
		return this.outcome;
	}

	private Reading reading() {
		return Objects.requireNonNull(this.reading, "Not read yet");
	}

	boolean isRead() {
		return this.reading != null;
	}

	@Override
	public Form form() {
		return reading().form();
	}

	JobPayload payload() {
		return form().job();
	}

	/** Return the definition of the job; {@code null} if no bean here defines it. */
	@Nullable JobDefinition definition() {
		return reading().definition();
	}

	RetryRules rules() {
		JobDefinition definition = definition();
		return (definition != null) ? definition.retry() : RetryRules.DEFAULT;
	}

	private Surroundings surroundings() {
		return reading().surroundings();
	}

	/** Return whether the job has expired, according to the clock of Redis. */
	boolean isExpired() {
		Instant latest = payload().limits().expiresAt();
		return latest != null && form().isFree()
				&& Instant.ofEpochMilli(claimedAt()).plusNanos(System.nanoTime() - this.arrivedAt).isAfter(latest);
	}

	@Override
	public String id() {
		return this.job.id();
	}

	@Override
	public String name() {
		return payload().name();
	}

	@Override
	public String queue() {
		return QueueRef.queueOf(token().queue());
	}

	@Override
	public @Nullable String key() {
		return payload().key();
	}

	@Override
	public String capsule() {
		return surroundings().capsule();
	}

	@Override
	public int attempt() {
		return payload().attempts() + 1;
	}

	@Override
	public int maxAttempts() {
		return reading().maxAttempts();
	}

	@Override
	public Instant enqueuedAt() {
		return payload().enqueuedAt();
	}

	@Override
	public @Nullable Instant scheduledAt() {
		return payload().at();
	}

	@Override
	public List<String> tags() {
		return payload().tags();
	}

	@Override
	public Map<String, String> meta() {
		return payload().meta();
	}

	@Override
	public Map<String, String> consistency() {
		return this.job.consistency();
	}

	@Override
	public <T> T arguments(Class<T> type) {
		return JobJson.readArguments(surroundings().codec().mapper(), form().current().arguments(), type);
	}

	@Override
	public boolean advance(int left, byte @Nullable [] envelope, Runnable done) throws InterruptedException {
		return surroundings().progress().advance(this, left, envelope, done);
	}

	@Override
	public boolean isStopping() {
		return surroundings().stopping().getAsBoolean();
	}

	@Override
	public boolean isLost() {
		return !surroundings().current().test(token());
	}

	@Override
	public long fencingToken() {
		return this.job.fencingToken();
	}

	@Override
	public String toString() {
		Reading named = this.reading;
		return ((named != null) ? named.form().job() : id()) + " of queue " + queue();
	}

	/**
	 * The information about a job that is available once its payload has been read.
	 *
	 * @param definition the definition of the job; {@code null} if no bean here defines
	 * it
	 */
	record Reading(Form form, int maxAttempts, @Nullable JobDefinition definition, Surroundings surroundings) {

	}

	/**
	 * The environment that all runs of a capsule share.
	 *
	 * @param capsule the name of the capsule
	 * @param codec reads arguments
	 * @param current returns whether a token is still valid
	 * @param stopping returns whether the process is shutting down
	 * @param progress records the progress of runs in Redis
	 */
	record Surroundings(String capsule, PayloadCodec codec, Predicate<JobToken> current, BooleanSupplier stopping,
			Progress progress) {

	}

	/** Records the progress of runs in Redis. See {@link Form.Run#advance}. */
	interface Progress {

		boolean advance(UnitOfWork work, int left, byte @Nullable [] envelope, Runnable done)
				throws InterruptedException;

	}

}

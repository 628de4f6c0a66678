package io.github.steadyjobs.server;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.redis.ClaimedJob;
import io.github.steadyjobs.redis.JobToken;
import io.github.steadyjobs.redis.Shard;
import io.github.steadyjobs.server.Processor.Surroundings;
import org.jspecify.annotations.Nullable;

/**
 * A claimed job on its way through a worker, and the context of its run. It is either
 * begun or given back before it has begun, never both. A run that has begun may be given
 * back while it goes on. Thread safe.
 */
final class UnitOfWork implements JobContext {

	private static final byte[] NOTHING = {};

	/** Also the lock: jobs have this object as their context, and may lock that. */
	private final ClaimedJob job;

	private final long claimSentAt;

	private final long arrivedAt;

	/** The other jobs of a batch. What happens to this one happens to them. */
	private final List<UnitOfWork> others;

	private boolean begun;

	private volatile boolean cutShort;

	private volatile boolean givenBack;

	private @Nullable Thread runner;

	private volatile @Nullable Surroundings surroundings;

	private volatile int maxAttempts;

	private volatile @Nullable JobPayload payload;

	private volatile @Nullable OrderedPayloads ordered;

	private UnitOfWork(ClaimedJob job, List<UnitOfWork> others, long claimSentAt, long arrivedAt) {
		this.job = job;
		this.others = others;
		this.claimSentAt = claimSentAt;
		this.arrivedAt = arrivedAt;
	}

	/**
	 * Create a unit of work.
	 * @param batch a job, or ordered ones that run together
	 * @param claimSentAt the {@link System#nanoTime()} before which no copy of the claim
	 * was sent
	 * @param arrivedAt the {@link System#nanoTime()} at which the claim was answered
	 */
	static UnitOfWork of(List<ClaimedJob> batch, long claimSentAt, long arrivedAt) {
		List<UnitOfWork> others = (batch.size() == 1) ? List.of()
				: batch.stream().skip(1).map((job) -> of(List.of(job), claimSentAt, arrivedAt)).toList();
		return new UnitOfWork(batch.get(0), others, claimSentAt, arrivedAt);
	}

	JobToken token() {
		return this.job.token();
	}

	List<UnitOfWork> others() {
		return this.others;
	}

	List<UnitOfWork> all() {
		return Stream.concat(Stream.of(this), this.others.stream()).toList();
	}

	/**
	 * Return the jobs of a batch, each by itself.
	 */
	List<UnitOfWork> apart() {
		return all().stream().map((each) -> of(List.of(each.job), this.claimSentAt, this.arrivedAt)).toList();
	}

	boolean isOf(String queue, String process) {
		return token().queue().equals(queue) && token().process().equals(process);
	}

	/**
	 * Return what is stored for the job, which need not be JSON.
	 */
	byte[] stored() {
		byte[] stored = this.job.payload();
		return (stored != null) ? stored : NOTHING;
	}

	/** Return whether the job was cancelled before it could begin. */
	boolean isCancelled() {
		return this.job.payload() == null;
	}

	/** Return the Redis time of the claim, in milliseconds since the epoch. */
	long claimedAt() {
		return this.job.claimedAt();
	}

	long arrivedAt() {
		return this.arrivedAt;
	}

	/**
	 * Return whether so much time has passed since the claim that others may have taken
	 * this process for dead and run the job, without this process knowing yet: it may
	 * have been paused just here.
	 */
	boolean isOlderThan(Duration age) {
		return System.nanoTime() - this.claimSentAt >= age.toNanos();
	}

	/**
	 * Run on the current thread from now on, unless the job was given back.
	 * @return whether it may run
	 */
	boolean begin() {
		synchronized (this.job) {
			if (this.givenBack) {
				return false;
			}
			this.begun = true;
			this.runner = Thread.currentThread();
			return true;
		}
	}

	/**
	 * Note that the run has ended: an interrupt meant for it must not hit the next one.
	 */
	void end() {
		synchronized (this.job) {
			this.runner = null;
			Thread.interrupted();
		}
	}

	/**
	 * Interrupt the run, if it is under way.
	 */
	void interrupt() {
		synchronized (this.job) {
			if (this.runner != null) {
				this.runner.interrupt();
			}
		}
	}

	/**
	 * Let the job go back to its queue, unless it has begun. It cannot begin any more.
	 * @return whether it had neither begun nor been given back
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
	 * Let the job go back to its queue, even if it has begun. Nothing is settled then
	 * when the run ends.
	 */
	void giveBack() {
		synchronized (this.job) {
			this.givenBack = true;
		}
	}

	boolean isGivenBack() {
		return this.givenBack;
	}

	/**
	 * Let the run of an ordered job end as soon as it can, because the process stops.
	 */
	void cutShort() {
		this.cutShort = true;
	}

	boolean isCutShort() {
		return this.cutShort;
	}

	/**
	 * Take note of what the payload says. Called before the run, which sees it.
	 */
	void read(JobPayload payload, @Nullable OrderedPayloads ordered, int maxAttempts, Surroundings surroundings) {
		this.ordered = ordered;
		this.maxAttempts = maxAttempts;
		this.surroundings = surroundings;
		this.payload = payload;
	}

	boolean isRead() {
		return this.payload != null;
	}

	OrderedPayloads gathered() {
		return Objects.requireNonNull(this.ordered, "Not ordered, or not read yet");
	}

	JobPayload payload() {
		OrderedPayloads payloads = this.ordered;
		return (payloads != null) ? payloads.job() : Objects.requireNonNull(this.payload, "Not read yet");
	}

	private Surroundings surroundings() {
		return Objects.requireNonNull(this.surroundings, "Not read yet");
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
		return Shard.queueOf(token().queue());
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
		return this.maxAttempts;
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
		OrderedPayloads payloads = this.ordered;
		JobPayload job = (payloads != null) ? payloads.current() : payload();
		return JobJson.readArguments(surroundings().codec().mapper(), job.arguments(), type);
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
		JobPayload named = this.payload;
		return ((named != null) ? named : id()) + " of queue " + queue();
	}

}

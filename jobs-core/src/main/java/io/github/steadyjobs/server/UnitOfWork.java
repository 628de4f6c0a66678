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
import io.github.steadyjobs.definition.RetryRules;
import io.github.steadyjobs.redis.ClaimedJob;
import io.github.steadyjobs.redis.JobToken;
import io.github.steadyjobs.redis.Shard;
import io.github.steadyjobs.server.Processor.Surroundings;
import org.jspecify.annotations.Nullable;

/**
 * A claimed job on its way through a worker, and the context of its run. Thread safe.
 */
final class UnitOfWork extends ClaimedRun implements JobContext {

	private static final byte[] NOTHING = {};

	private final ClaimedJob job;

	private final long claimSentAt;

	private final long arrivedAt;

	/** The other jobs of a batch. What happens to this one happens to them. */
	private final List<UnitOfWork> others;

	private volatile @Nullable Reading reading;

	private UnitOfWork(ClaimedJob job, List<UnitOfWork> others, long claimSentAt, long arrivedAt) {
		super(job);
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
	 * Take note of what the payload says. Called before the run, which sees it.
	 */
	void read(Reading reading) {
		this.reading = reading;
	}

	private Reading reading() {
		return Objects.requireNonNull(this.reading, "Not read yet");
	}

	boolean isRead() {
		return this.reading != null;
	}

	OrderedPayloads gathered() {
		return Objects.requireNonNull(reading().ordered(), "Not ordered");
	}

	JobPayload payload() {
		OrderedPayloads payloads = reading().ordered();
		return (payloads != null) ? payloads.job() : reading().payload();
	}

	RetryRules rules() {
		return reading().rules();
	}

	private Surroundings surroundings() {
		return reading().surroundings();
	}

	/**
	 * Return whether it is too late for the job to begin, by the clock of Redis.
	 */
	boolean isExpired() {
		Instant latest = payload().limits().expiresAt();
		return latest != null && !token().isOrdered()
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
		OrderedPayloads payloads = reading().ordered();
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
		Reading named = this.reading;
		return ((named != null) ? named.payload() : id()) + " of queue " + queue();
	}

	/**
	 * What is known of a job once its payload was read.
	 *
	 * @param ordered the payloads of an ordered job, {@code null} for any other
	 * @param rules what to do when it fails
	 */
	record Reading(JobPayload payload, @Nullable OrderedPayloads ordered, int maxAttempts, RetryRules rules,
			Surroundings surroundings) {

	}

}

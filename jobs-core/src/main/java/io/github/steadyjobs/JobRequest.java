package io.github.steadyjobs;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A request to enqueue a job. Says what to run, when, and in which queue. Immutable: each
 * method that sets something returns a new request.
 */
public final class JobRequest {

	private final Target target;

	private final Options options;

	private JobRequest(Target target, Options options) {
		this.target = target;
		this.options = options;
	}

	/**
	 * Create a request for the one job that takes an argument of this type.
	 * @param argument the only argument of the job
	 */
	public static JobRequest of(Object argument) {
		return new JobRequest(new Typed(argument), Options.NONE);
	}

	/**
	 * Create a request from a recorded call.
	 * @param <T> the class or interface that has the job's method
	 * @param jobClass the class or interface that has the job's method
	 * @param call a lambda that calls the method once; it is called when the request is
	 * enqueued
	 */
	public static <T> JobRequest of(Class<T> jobClass, JobCall<T> call) {
		return new JobRequest(new Called<>(jobClass, call), Options.NONE);
	}

	/**
	 * Create a request for a job by its name. The job need not be known in this
	 * application.
	 * @param name the {@linkplain Names#isJobName name} of the job
	 * @param arguments the arguments, in the order of the method's parameters
	 */
	public static JobRequest named(String name, @Nullable Object... arguments) {
		Assert.notNull(arguments, "'arguments' must not be null; for one argument that is null, pass (Object) null");
		return new JobRequest(new Named(name, Arrays.asList(arguments)), Options.NONE);
	}

	/**
	 * Spread requests evenly over a period of time: the first runs at once, and the
	 * others follow in order at equal intervals. Meant for {@link JobClient#enqueueAll}.
	 * @param requests the requests, without delays or times of their own
	 * @param interval the period over which to spread them, 1 ms or more
	 * @return the requests, in the same order, each but the first with a delay
	 */
	public static List<JobRequest> spread(Collection<JobRequest> requests, Duration interval) {
		Assert.notNull(requests, "'requests' must not be null; for none pass an empty list");
		Assert.notNull(interval, "'interval' must not be null; to run all at once enqueue the requests themselves");
		Assert.isTrue(interval.toMillis() > 0, () -> "'interval' must be 1 ms or more, but is " + interval);
		List<JobRequest> spread = new ArrayList<>(requests.size());
		for (JobRequest request : requests) {
			int place = spread.size();
			Assert.notNull(request, () -> "'requests' must not contain null, but element %d is null".formatted(place));
			Assert.isTrue(request.options.delay == null && request.options.at == null,
					() -> "%s (element %d) has a time of its own, so it cannot be spread".formatted(request.target,
							place));
			spread.add((place > 0) ? request.after(interval.dividedBy(requests.size()).multipliedBy(place)) : request);
		}
		return spread;
	}

	/**
	 * Run the job after a minimum delay, counted from when it is enqueued.
	 * @param delay the delay, to the millisecond; if it is zero or less, the job runs at
	 * once
	 * @return a request with this delay, which replaces any earlier delay or time
	 */
	public JobRequest after(Duration delay) {
		Assert.notNull(delay, "'delay' must not be null; leave it out to run the job at once");
		return with((set) -> set.due(delay, null));
	}

	/**
	 * Run the job no earlier than a given time.
	 * @param time the time, to the millisecond; if it is in the past, the job runs at
	 * once
	 * @return a request with this time, which replaces any earlier delay or time
	 */
	public JobRequest at(Instant time) {
		Assert.notNull(time, "'time' must not be null; leave it out to run the job at once");
		return with((set) -> set.due(null, time));
	}

	/**
	 * Put the job into a queue other than its own.
	 * @param queue a {@linkplain Names#isName name}
	 * @return a request for that queue
	 */
	public JobRequest queue(String queue) {
		Assert.notNull(queue, "'queue' must not be null; leave it out to take the job's own");
		return with((set) -> set.queue = queue);
	}

	/**
	 * Set how many times a failed job is retried.
	 * @param retries the maximum number of retries, zero or more
	 */
	public JobRequest retries(int retries) {
		Assert.isTrue(retries >= 0, "'retries' must not be negative");
		return with((set) -> set.retries = OptionalInt.of(retries));
	}

	/**
	 * Set whether a failed job is retried.
	 * @param retries {@code true} to use the worker's {@code steadyjobs.retry.max},
	 * whatever the job's {@link Job} says; {@code false} to never retry the job
	 */
	public JobRequest retries(boolean retries) {
		return with((set) -> set.retries = retries ? OptionalInt.empty() : OptionalInt.of(0));
	}

	/**
	 * Set how long after its first failure the job is retried, as {@link Job#retryFor()}
	 * does.
	 * @param time the time, 1 ms or more, stored in whole seconds
	 */
	public JobRequest retryFor(Duration time) {
		Assert.notNull(time, "'time' must not be null; leave it out to take the job's own");
		return limit(new JobLimits(time, null, null, null, null, null));
	}

	/**
	 * Set the queue in which the job is retried, as {@link Job#retryQueue()} does.
	 * @param queue a {@linkplain Names#isName name}
	 */
	public JobRequest retryQueue(String queue) {
		Assert.notNull(queue, "'queue' must not be null; leave it out to take the job's own");
		return limit(new JobLimits(null, queue, null, null, null, null));
	}

	/**
	 * Set how many lines of a failure's stack trace are stored with the job.
	 * @param lines the number of lines, zero or more
	 */
	public JobRequest backtrace(int lines) {
		return limit(new JobLimits(null, null, lines, null, null, null));
	}

	/**
	 * Set how long after its due time the job may still begin, as {@link Job#expires()}
	 * does.
	 * @param time the time, 1 ms or more
	 * @return a request with this time, which replaces any other expiry
	 */
	public JobRequest expires(Duration time) {
		Assert.notNull(time, "'time' must not be null; leave it out to take the job's own");
		return limit(new JobLimits(null, null, null, time, null, null));
	}

	/**
	 * Set the latest time at which the job may begin, as {@link Job#expires()} does.
	 * @param time the time, to the millisecond
	 * @return a request with this time, which replaces any other expiry
	 */
	public JobRequest expiresAt(Instant time) {
		Assert.notNull(time, "'time' must not be null; leave it out to take the job's own");
		return limit(new JobLimits(null, null, null, null, time, null));
	}

	/**
	 * Set how long a call of the job's method may take, as {@link Job#timeout()} does.
	 * @param time the time, 1 ms or more
	 */
	public JobRequest timeout(Duration time) {
		Assert.notNull(time, "'time' must not be null; leave it out to take the job's own");
		return limit(new JobLimits(null, null, null, null, null, time));
	}

	private JobRequest limit(JobLimits limits) {
		return with((set) -> set.limits = limits.or(set.limits));
	}

	/**
	 * Set whether the job is kept in the dead set when it has failed for the last time.
	 * @param dead {@code false} to discard the job instead
	 */
	public JobRequest dead(boolean dead) {
		return with((set) -> set.dead = dead);
	}

	/**
	 * Add tags, which are stored with the job as labels.
	 * @return a request that also has these tags
	 */
	public JobRequest tags(String... tags) {
		Assert.notNull(tags, "'tags' must not be null; leave them out for none");
		Assert.noNullElements(tags, "'tags' must not contain null");
		List<String> all = new ArrayList<>(this.options.tags);
		all.addAll(List.of(tags));
		return with((set) -> set.tags = all);
	}

	/**
	 * Attach a value to the job, such as the id of a trace or of a tenant.
	 * {@link JobContext#meta()} returns it.
	 * @return a request that also has this value
	 */
	public JobRequest meta(String name, String value) {
		Assert.hasText(name, "'name' must not be null or empty");
		Assert.notNull(value, () -> "'value' must not be null; leave out '%s' if it has none".formatted(name));
		Map<String, String> all = new LinkedHashMap<>(this.options.meta);
		all.put(name, value);
		return with((set) -> set.meta = all);
	}

	/**
	 * Attach several values to the job, as {@link #meta(String, String)} does.
	 * @param values the values by name
	 * @return a request that also has these values
	 */
	public JobRequest meta(Map<String, String> values) {
		Assert.notNull(values, "'values' must not be null; leave them out for none");
		JobRequest request = this;
		for (Map.Entry<String, String> value : values.entrySet()) {
			request = request.meta(value.getKey(), value.getValue());
		}
		return request;
	}

	/**
	 * Store the job at once even inside a transaction. It may then run before the
	 * transaction commits, and it runs even if the transaction rolls back.
	 * @return a request that does not wait for a commit
	 */
	public JobRequest beforeCommit() {
		return with((set) -> set.beforeCommit = true);
	}

	/**
	 * Set how safely the job is to be stored. With {@link Durability#REPLICATED} the call
	 * waits until a replica has acknowledged the job, for at most
	 * {@code spring.data.redis.timeout}. Without an acknowledgement the job is still
	 * stored, and {@link EnqueueResult#durability()} says so.
	 * @param durability the level to wait for; {@link Durability#STORED} by default
	 * @return a request that waits for that level
	 */
	public JobRequest durability(Durability durability) {
		Assert.notNull(durability, "'durability' must not be null; leave it out for STORED");
		return with((set) -> set.durability = durability);
	}

	/** Deduplicate the job with these settings, whatever its {@link Idempotent} says. */
	public JobRequest idempotent(Idempotence idempotence) {
		Assert.notNull(idempotence, "'idempotence' must not be null; leave it out to follow the job's own @Idempotent");
		return with((set) -> set.idempotence = idempotence);
	}

	/**
	 * Set the key of an ordered job for this request, instead of the value of its
	 * {@link Sequential#key()}.
	 * @param key the key, 1 to 256 characters
	 */
	public JobRequest key(String key) {
		Assert.notNull(key, "'key' must not be null; leave it out to follow the job's own @Sequential");
		return with((set) -> set.key = key);
	}

	/**
	 * Set the score of the payload of an ordered job, instead of the value of its
	 * {@link Sequential#score()}.
	 * @param score the score; payloads of a key run in ascending order of their scores
	 */
	public JobRequest score(double score) {
		boolean whole = score == Math.rint(score) && Math.abs(score) < 1e15;
		return with((set) -> set.score = whole ? Long.toString((long) score) : Double.toString(score));
	}

	/** Set the score as {@link #score(double)} does, but without loss of precision. */
	public JobRequest score(long score) {
		return with((set) -> set.score = Long.toString(score));
	}

	private JobRequest with(Consumer<Settings> change) {
		Settings settings = new Settings(this.options);
		change.accept(settings);
		return options(settings.toOptions());
	}

	/**
	 * Replace all settings with those of another request, for example in a
	 * {@link ClientInterceptor} that proceeds with another job.
	 * @return a request with these settings
	 */
	public JobRequest options(Options options) {
		Assert.notNull(options, "'options' must not be null; pass those of another request");
		return new JobRequest(this.target, options);
	}

	/**
	 * Return the target to run. {@link ClientInterceptor Interceptors} always see a
	 * {@link Named}.
	 */
	public Target target() {
		return this.target;
	}

	/**
	 * Return the settings of the request.
	 * @return the settings; unset settings are {@code null} or empty
	 */
	public Options options() {
		return this.options;
	}

	@Override
	public String toString() {
		return "JobRequest[" + this.target + ", " + this.options + "]";
	}

	/** The target that a request runs. */
	public sealed interface Target {

	}

	/**
	 * The one job that takes an argument of this type.
	 *
	 * @param argument the argument
	 */
	public record Typed(Object argument) implements Target {

		public Typed {
			Assert.notNull(argument, "'argument' must not be null; name the job with JobRequest.named(…) to pass null");
		}

		@Override
		public String toString() {
			// Arguments may contain secrets, and requests are written to logs.
			return this.argument.getClass().getSimpleName();
		}

	}

	/**
	 * A recorded call.
	 *
	 * @param <T> the class or interface that has the job's method
	 * @param jobClass the class or interface that has the job's method
	 * @param call a lambda that calls the method once
	 */
	public record Called<T>(Class<T> jobClass, JobCall<T> call) implements Target {

		public Called {
			Assert.notNull(jobClass, "'jobClass' must not be null; pass the class that has the job's method");
			Assert.notNull(call, "'call' must not be null; pass one that calls the job's method");
		}

		@Override
		public String toString() {
			return "a call of " + this.jobClass.getSimpleName();
		}

	}

	/**
	 * A job, identified by its name.
	 *
	 * @param name the name of the job
	 * @param arguments the arguments, in the order of the method's parameters
	 */
	public record Named(String name, List<@Nullable Object> arguments) implements Target {

		public Named {
			Assert.hasText(name, "'name' must not be null or empty; pass the name of a job");
			Assert.isTrue(Names.isJobName(name), () -> "'name' must be " + Names.JOB_RULE);
			Assert.notNull(arguments, "'arguments' must not be null; for none pass an empty list");
			arguments = Collections.unmodifiableList(new ArrayList<>(arguments));
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

	/**
	 * The settings of a request.
	 *
	 * @param delay the minimum delay, or {@code null}
	 * @param at the earliest time to run the job, or {@code null}
	 * @param queue the queue, or {@code null} for the job's own
	 * @param retries the maximum number of retries, empty to use the worker's default, or
	 * {@code null} to use the job's own
	 * @param dead whether a dead job is kept, or {@code null} for the job's own setting
	 * @param limits the limits of the job
	 * @param tags the tags
	 * @param meta the attached values
	 * @param beforeCommit whether the job is stored without waiting for a commit
	 * @param durability how safely the job is to be stored
	 * @param idempotence how to deduplicate the job, or {@code null} for the job's own
	 * setting
	 * @param key the key of an ordered job, or {@code null} for the job's own
	 * @param score the score of the payload of an ordered job, a decimal number, or
	 * {@code null} for the job's own
	 */
	public record Options(@Nullable Duration delay, @Nullable Instant at, @Nullable String queue,
			@Nullable OptionalInt retries, @Nullable Boolean dead, JobLimits limits, List<String> tags,
			Map<String, String> meta, boolean beforeCommit, Durability durability, @Nullable Idempotence idempotence,
			@Nullable String key, @Nullable String score) {

		static final Options NONE = new Options(null, null, null, null, null, JobLimits.NONE, List.of(), Map.of(),
				false, Durability.STORED, null, null, null);

		public Options {
			Assert.isTrue(retries == null || retries.orElse(0) >= 0, "'retries' must not be negative");
			Assert.isTrue(key == null || Names.isKey(key), () -> "'key' must be " + Names.KEY_RULE);
			Assert.isTrue(score == null || Names.isScore(score), "'score' must be a number, neither NaN nor infinite");
			Assert.notNull(limits, "'limits' must not be null; pass JobLimits.NONE for none");
			tags = List.copyOf(tags);
			meta = meta.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(meta));
		}

	}

	/** A mutable copy of the options, because Java cannot copy a record with a change. */
	private static final class Settings {

		@Nullable Duration delay;

		@Nullable Instant at;

		@Nullable String queue;

		@Nullable OptionalInt retries;

		@Nullable Boolean dead;

		JobLimits limits;

		List<String> tags;

		Map<String, String> meta;

		boolean beforeCommit;

		Durability durability;

		@Nullable Idempotence idempotence;

		@Nullable String key;

		@Nullable String score;

		Settings(Options set) {
			this.delay = set.delay();
			this.at = set.at();
			this.queue = set.queue();
			this.retries = set.retries();
			this.dead = set.dead();
			this.limits = set.limits();
			this.tags = set.tags();
			this.meta = set.meta();
			this.beforeCommit = set.beforeCommit();
			this.durability = set.durability();
			this.idempotence = set.idempotence();
			this.key = set.key();
			this.score = set.score();
		}

		void due(@Nullable Duration delay, @Nullable Instant at) {
			this.delay = delay;
			this.at = at;
		}

		Options toOptions() {
			return new Options(this.delay, this.at, this.queue, this.retries, this.dead, this.limits, this.tags,
					this.meta, this.beforeCommit, this.durability, this.idempotence, this.key, this.score);
		}

	}

}

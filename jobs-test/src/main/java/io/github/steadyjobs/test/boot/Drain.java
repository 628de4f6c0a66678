package io.github.steadyjobs.test.boot;

import java.time.Instant;
import java.util.Arrays;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Selects the recorded jobs that {@link RecordedJobs#drain(Drain)} runs. By default,
 * these are the jobs that are due when the drain begins. Immutable.
 */
public final class Drain {

	static final int BOUND = 10_000;

	private final Set<String> queues;

	private final Set<Class<?>> types;

	private final boolean recursive;

	private final @Nullable Instant until;

	private final @Nullable Integer limit;

	private Drain(Set<String> queues, Set<Class<?>> types, boolean recursive, @Nullable Instant until,
			@Nullable Integer limit) {
		this.queues = queues;
		this.types = types;
		this.recursive = recursive;
		this.until = until;
		this.limit = limit;
	}

	/**
	 * Run the jobs of all queues.
	 * @return what to run
	 */
	public static Drain everything() {
		return new Drain(Set.of(), Set.of(), false, null, null);
	}

	/**
	 * Run only the jobs of the given queues.
	 * @param queues the names of the queues
	 * @return what to run
	 */
	public static Drain queues(String... queues) {
		return new Drain(Set.of(queues), Set.of(), false, null, null);
	}

	/**
	 * Run only the jobs that take an argument of one of the given types.
	 * @param types the types of the arguments
	 * @return what to run
	 */
	public static Drain only(Class<?>... types) {
		return new Drain(Set.of(), Set.copyOf(Arrays.asList(types)), false, null, null);
	}

	/**
	 * Also run the jobs that are enqueued or become due again during the drain. Unless
	 * {@link #atMost} sets a limit, the drain fails if jobs are left after 10,000 runs,
	 * because jobs probably enqueue each other for ever.
	 * @return what to run
	 */
	public Drain recursively() {
		return new Drain(this.queues, this.types, true, this.until, this.limit);
	}

	/**
	 * Also run jobs that are due later. Time advances to the due time of each job and
	 * finally to the given time, unless that time has already passed.
	 * @param time the latest due time
	 * @return what to run
	 */
	public Drain upTo(Instant time) {
		return new Drain(this.queues, this.types, this.recursive, time, this.limit);
	}

	/**
	 * Stop after the given number of runs, and do not fail if jobs are left.
	 * @param jobs the maximum number of runs
	 * @return what to run
	 */
	public Drain atMost(int jobs) {
		Assert.isTrue(jobs > 0, "'jobs' must be positive");
		return new Drain(this.queues, this.types, this.recursive, this.until, jobs);
	}

	boolean isOf(String queue) {
		return this.queues.isEmpty() || this.queues.contains(queue);
	}

	Set<Class<?>> types() {
		return this.types;
	}

	boolean isRecursive() {
		return this.recursive;
	}

	@Nullable Instant until() {
		return this.until;
	}

	@Nullable Integer limit() {
		return this.limit;
	}

}

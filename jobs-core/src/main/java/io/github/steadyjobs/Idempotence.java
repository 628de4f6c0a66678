package io.github.steadyjobs;

import java.time.Duration;

import io.github.steadyjobs.Idempotent.IfDuplicate;
import io.github.steadyjobs.Idempotent.Strategy;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * How one job is deduplicated. Holds the settings of {@link Idempotent}, either for a
 * {@linkplain JobRequest#idempotent single request} or as returned by an
 * {@link IdempotenceStrategy}. Immutable.
 *
 * @param strategy decides when a job is a duplicate; not {@link Strategy#DEFAULT}
 * @param ttl the maximum time for which a job prevents duplicates from being enqueued, or
 * {@code null} to use {@code steadyjobs.idempotence.ttl}
 * @param key the text to compare instead of the arguments; if {@code null}, the key of
 * the annotation is compared or, if the annotation has no key, the arguments
 * @param ifDuplicate the policy for duplicates
 * @param includeScheduled whether to include jobs that are scheduled for later
 * @param keepConsistency whether each {@link ConsistencySource} must ensure that the job
 * sees data at least as new as when the job, or any dropped duplicate of it, was enqueued
 */
public record Idempotence(Strategy strategy, @Nullable Duration ttl, @Nullable String key, IfDuplicate ifDuplicate,
		boolean includeScheduled, boolean keepConsistency) {

	public Idempotence {
		Assert.notNull(strategy, "'strategy' must not be null");
		Assert.notNull(ifDuplicate, "'ifDuplicate' must not be null; pass DROP or RUN_ONCE_MORE");
		Assert.isTrue(strategy != Strategy.DEFAULT, "'strategy' must be a particular one");
		JobLimits.checkTime("ttl", ttl);
		Assert.isTrue(ifDuplicate == IfDuplicate.DROP || strategy == Strategy.UNTIL_EXECUTED,
				() -> "RUN_ONCE_MORE needs UNTIL_EXECUTED: with " + strategy
						+ " no duplicate is dropped while the job runs");
	}

	/** Drop duplicates while an equal job is waiting. */
	public static Idempotence untilExecuting() {
		return of(Strategy.UNTIL_EXECUTING);
	}

	/** Drop duplicates until an equal job has ended. */
	public static Idempotence untilExecuted() {
		return of(Strategy.UNTIL_EXECUTED);
	}

	/** Run equal jobs one at a time without dropping any. */
	public static Idempotence whileExecuting() {
		return of(Strategy.WHILE_EXECUTING);
	}

	/**
	 * Drop duplicates for a period of time after an equal job was enqueued.
	 * @param window the period, at least a millisecond
	 */
	public static Idempotence within(Duration window) {
		Assert.notNull(window, "'window' must not be null; pass how long duplicates are dropped");
		return of(Strategy.WITHIN).ttl(window);
	}

	private static Idempotence of(Strategy strategy) {
		return new Idempotence(strategy, null, null, IfDuplicate.DROP, false, false);
	}

	/**
	 * Set the maximum time for which the job prevents duplicates from being enqueued,
	 * counted from when the job is due.
	 * @param ttl the time, at least a millisecond
	 */
	public Idempotence ttl(Duration ttl) {
		Assert.notNull(ttl, "'ttl' must not be null; leave it out for 'steadyjobs.idempotence.ttl'");
		return new Idempotence(this.strategy, ttl, this.key, this.ifDuplicate, this.includeScheduled,
				this.keepConsistency);
	}

	/**
	 * Set the text to compare instead of the arguments.
	 * @param key any text
	 */
	public Idempotence key(String key) {
		Assert.notNull(key, "'key' must not be null; leave it out to compare the arguments");
		return new Idempotence(this.strategy, this.ttl, key, this.ifDuplicate, this.includeScheduled,
				this.keepConsistency);
	}

	/**
	 * After the job has run, run the newest duplicate that was dropped during that run.
	 * @throws IllegalArgumentException unless the strategy is
	 * {@link Strategy#UNTIL_EXECUTED}
	 */
	public Idempotence runOnceMore() {
		return new Idempotence(this.strategy, this.ttl, this.key, IfDuplicate.RUN_ONCE_MORE, this.includeScheduled,
				this.keepConsistency);
	}

	/** Include jobs that are scheduled for later. */
	public Idempotence withScheduled() {
		return new Idempotence(this.strategy, this.ttl, this.key, this.ifDuplicate, true, this.keepConsistency);
	}

	/**
	 * Let each {@link ConsistencySource} ensure that the job sees data at least as new as
	 * when the job, or any dropped duplicate of it, was enqueued.
	 */
	public Idempotence withConsistency() {
		return new Idempotence(this.strategy, this.ttl, this.key, this.ifDuplicate, this.includeScheduled, true);
	}

}

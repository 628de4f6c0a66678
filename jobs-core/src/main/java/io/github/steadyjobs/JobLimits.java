package io.github.steadyjobs;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Limits of a job, taken from its {@link Job} annotation and the configuration, from a
 * request, or from the stored job. {@code null} means unspecified.
 *
 * @param retryFor how long after its first failure the job is retried
 * @param retryQueue the queue in which the job is retried
 * @param backtrace how many lines of a failure's stack trace are stored with the job
 * @param expires how long after its due time the job may still begin; never stored
 * @param expiresAt the latest time at which the job may begin
 * @param timeout how long a call of the job's method may take
 */
public record JobLimits(@Nullable Duration retryFor, @Nullable String retryQueue, @Nullable Integer backtrace,
		@Nullable Duration expires, @Nullable Instant expiresAt, @Nullable Duration timeout) {

	/** Limits that are all unspecified. */
	public static final JobLimits NONE = new JobLimits(null, null, null, null, null, null);

	/**
	 * Scripts hold milliseconds as doubles, and doubles are exact at least up to this
	 * duration.
	 */
	private static final Duration LONGEST = Duration.ofDays(36_500_000);

	/**
	 * Create limits.
	 * @throws IllegalArgumentException if a limit is out of range or two of them
	 * conflict; the message names the limit
	 */
	public JobLimits {
		checkTime("retryFor", retryFor);
		checkTime("expires", expires);
		checkTime("timeout", timeout);
		Assert.isTrue(retryQueue == null || Names.isName(retryQueue),
				() -> "'retryQueue' must be %s, but is '%s'".formatted(Names.RULE, retryQueue));
		Assert.isTrue(backtrace == null || backtrace >= 0,
				() -> "'backtrace' must be 0 or more lines, but is " + backtrace);
		Assert.isTrue(expiresAt == null || isExpiry(expiresAt),
				() -> "'expiresAt' must be less than 100,000 years away, but is " + expiresAt);
		Assert.isTrue(expires == null || expiresAt == null, "'expires' and 'expiresAt' must not both be set");
	}

	static boolean isExpiry(Instant time) {
		return Duration.between(Instant.EPOCH, time).abs().compareTo(LONGEST) < 0;
	}

	/**
	 * Check a duration unless it is {@code null}.
	 * @param name the name of the limit, for the message
	 * @throws IllegalArgumentException unless {@link #isTime} accepts the duration
	 */
	public static void checkTime(String name, @Nullable Duration time) {
		Assert.isTrue(time == null || isTime(time),
				() -> "'%s' must be 1 ms or more and less than 100,000 years, but is %s".formatted(name, time));
	}

	/** Return whether a duration is at least 1 ms and less than 100,000 years. */
	public static boolean isTime(Duration time) {
		Assert.notNull(time, "'time' must not be null");
		return time.compareTo(Duration.ofMillis(1)) >= 0 && time.compareTo(LONGEST) < 0;
	}

	/** Return these limits, with any unspecified limit taken from the given limits. */
	public JobLimits or(JobLimits others) {
		Assert.notNull(others, "'others' must not be null; pass JobLimits.NONE for none");
		// Usually neither sets anything, and the methods that Java generates for a record
		// are slow until they are compiled.
		if (this == NONE || equals(NONE)) {
			return others;
		}
		if (others == NONE || others.equals(NONE)) {
			return this;
		}
		boolean expires = this.expires != null || this.expiresAt != null;
		return new JobLimits(first(this.retryFor, others.retryFor), first(this.retryQueue, others.retryQueue),
				first(this.backtrace, others.backtrace), expires ? this.expires : others.expires,
				expires ? this.expiresAt : others.expiresAt, first(this.timeout, others.timeout));
	}

	private static <T> @Nullable T first(@Nullable T set, @Nullable T other) {
		return (set != null) ? set : other;
	}

}

package io.github.steadyjobs.idempotence;

import java.time.Duration;

import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.JobLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;

/**
 * Defaults for jobs that leave something open.
 *
 * @param strategy when a job is a duplicate; not {@link Strategy#DEFAULT}
 * @param ttl the longest time for which a job keeps others from being enqueued
 * @param undeclared what to do about jobs that do not say whether they are idempotent
 */
public record IdempotenceDefaults(Strategy strategy, Duration ttl, Undeclared undeclared) {

	/** What to do about a text that is no {@link #time}. */
	public static final String TIME_ADVICE = "Set it to a time of 1 ms or more and less than 100,000 years, with its unit, as in 90s, 10m, 6h, 7d or PT6H.";

	/** Until executing, for 6 hours at most, with a warning of undeclared jobs. */
	public static final IdempotenceDefaults STANDARD = new IdempotenceDefaults(Strategy.UNTIL_EXECUTING,
			Duration.ofHours(6), Undeclared.WARN);

	public IdempotenceDefaults {
		Assert.isTrue(strategy != Strategy.DEFAULT, "'strategy' must be a particular one");
		Assert.isTrue(JobLimits.isTime(ttl),
				() -> "'ttl' must be 1 ms or more and less than 100,000 years, but is " + ttl);
	}

	/**
	 * Read a time as annotations have it.
	 * @return the time, or {@code null} if it is none, or not of at least 1 ms and less
	 * than 100,000 years
	 */
	public static @Nullable Duration time(String text) {
		Duration time = anyTime(text);
		return (time != null && JobLimits.isTime(time)) ? time : null;
	}

	/** Read a time that may be of any length. */
	public static @Nullable Duration anyTime(String text) {
		try {
			// A number alone would be milliseconds, which hardly anyone means.
			return text.matches(".*\\d\\s*") ? null : DurationFormatterUtils.detectAndParse(text);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			return null;
		}
	}

	/** What to do about jobs that do not say whether they are idempotent. */
	public enum Undeclared {

		/** Nothing. */
		IGNORE,

		/** List them in the log when the application starts. */
		WARN,

		/** Do not start the application. */
		FAIL

	}

}

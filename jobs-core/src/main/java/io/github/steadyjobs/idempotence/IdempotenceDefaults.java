package io.github.steadyjobs.idempotence;

import java.time.Duration;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.Idempotent.Strategy;
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

	/** Until executing, for 6 hours at most, with a warning of undeclared jobs. */
	public static final IdempotenceDefaults STANDARD = new IdempotenceDefaults(Strategy.UNTIL_EXECUTING,
			Duration.ofHours(6), Undeclared.WARN);

	public IdempotenceDefaults {
		Assert.isTrue(strategy != Strategy.DEFAULT, "'strategy' must be a particular one");
		Assert.isTrue(isTtl(ttl), () -> "'ttl' must be 1 ms or more and less than 100,000 years, and is " + ttl);
	}

	/**
	 * Read a time as annotations have it.
	 * @return the time, or {@code null} if it is none, or not of at least 1 ms and less
	 * than 100,000 years
	 */
	public static @Nullable Duration time(String text) {
		try {
			// A number alone would be milliseconds, which hardly anyone means.
			Duration time = text.matches(".*\\d\\s*") ? null : DurationFormatterUtils.detectAndParse(text);
			return (time != null && isTtl(time)) ? time : null;
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			return null;
		}
	}

	/**
	 * Return whether a job can keep others from being enqueued for a time.
	 * @return whether it is at least 1 ms, and less than 100,000 years
	 */
	public static boolean isTtl(Duration ttl) {
		try {
			Idempotence.within(ttl);
			return true;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	/**
	 * What to do about jobs that do not say whether they are idempotent.
	 */
	public enum Undeclared {

		/** Nothing. */
		IGNORE,

		/** List them in the log when the application starts. */
		WARN,

		/** Do not start the application. */
		FAIL

	}

}

package io.github.steadyjobs.definition;

import java.time.Duration;

import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.JobLimits;

import org.springframework.util.Assert;

/**
 * Defaults for jobs that do not specify a setting.
 *
 * @param strategy decides when a job is a duplicate; not {@link Strategy#DEFAULT}
 * @param ttl the maximum time for which a job prevents duplicates from being enqueued
 * @param undeclared how to treat jobs that do not declare whether they are idempotent
 */
public record IdempotenceDefaults(Strategy strategy, Duration ttl, Undeclared undeclared) {

	/** Deduplicate until executing, for up to 6 hours. Warn about undeclared jobs. */
	public static final IdempotenceDefaults STANDARD = new IdempotenceDefaults(Strategy.UNTIL_EXECUTING,
			Duration.ofHours(6), Undeclared.WARN);

	public IdempotenceDefaults {
		Assert.isTrue(strategy != Strategy.DEFAULT, "'strategy' must be a particular one");
		JobLimits.checkTime("ttl", ttl);
	}

	/** How to treat jobs that do not declare whether they are idempotent. */
	public enum Undeclared {

		/** Do nothing. */
		IGNORE,

		/** List the jobs in the log when the application starts. */
		WARN,

		/** Do not start the application. */
		FAIL

	}

}

package io.github.steadyjobs.doctor;

import java.util.List;
import java.util.stream.Collectors;

import io.github.steadyjobs.doctor.Finding.Severity;

/**
 * The application does not start, because something is wrong with its Redis that was
 * declared to be a reason for it.
 */
public final class UnfitRedisException extends RuntimeException {

	private final String redis;

	private final List<Finding> findings;

	UnfitRedisException(String redis, List<Finding> findings) {
		super("Redis at %s is not fit for jobs: %s".formatted(redis,
				findings.stream().map(Finding::toString).collect(Collectors.joining(" "))));
		this.redis = redis;
		this.findings = List.copyOf(findings);
	}

	/** Return the address of the Redis and the prefix of keys, without passwords. */
	public String redis() {
		return this.redis;
	}

	/** Return the reasons, at least one finding of severity {@link Severity#FAIL}. */
	public List<Finding> findings() {
		return this.findings;
	}

}

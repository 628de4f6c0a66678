package io.github.steadyjobs.doctor;

import java.util.List;
import java.util.stream.Collectors;

import io.github.steadyjobs.doctor.Finding.Severity;

/**
 * Thrown to prevent the application from starting, because a check has found a problem of
 * severity {@link Severity#FAIL}.
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

	/** Return the address of Redis and the key prefix, without passwords. */
	public String redis() {
		return this.redis;
	}

	/**
	 * Return the findings that prevent the start: at least one, all of severity
	 * {@link Severity#FAIL}.
	 */
	public List<Finding> findings() {
		return this.findings;
	}

}

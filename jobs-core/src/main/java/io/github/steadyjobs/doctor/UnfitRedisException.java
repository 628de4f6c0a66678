package io.github.steadyjobs.doctor;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The application does not start, because something is wrong with its Redis that was
 * declared to be a reason for it.
 */
public final class UnfitRedisException extends RuntimeException {

	private final List<Finding> findings;

	UnfitRedisException(List<Finding> findings) {
		super(findings.stream().map(Finding::toString).collect(Collectors.joining(" ")));
		this.findings = List.copyOf(findings);
	}

	/**
	 * Return the reasons.
	 * @return findings of severity {@link Severity#FAIL}, at least one
	 */
	public List<Finding> findings() {
		return this.findings;
	}

}

package io.github.steadyjobs.boot;

import java.util.stream.Collectors;

import io.github.steadyjobs.doctor.Finding;
import io.github.steadyjobs.doctor.UnfitRedisException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains the problems with Redis, and how to fix them or start the application anyway.
 */
class UnfitRedisFailureAnalyzer extends AbstractFailureAnalyzer<UnfitRedisException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnfitRedisException cause) {
		String description = "The Redis at %s is not fit for jobs:%n%s".formatted(cause.redis(),
				cause.findings().stream().map(Finding::problem).collect(Collectors.joining("%n".formatted())));
		String action = cause.findings()
			.stream()
			.map((finding) -> "%s Or let the application start all the same: 'steadyjobs.doctor.severity.%s=error'."
				.formatted(finding.action(), finding.check().id()))
			.collect(Collectors.joining("%n".formatted()));
		return new FailureAnalysis(description, action, cause);
	}

}

package io.github.steadyjobs.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains which connection factory jobs need.
 */
class UnusableConnectionFactoryFailureAnalyzer extends AbstractFailureAnalyzer<UnusableConnectionFactoryException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnusableConnectionFactoryException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
	}

}

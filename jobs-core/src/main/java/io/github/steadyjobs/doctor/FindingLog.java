package io.github.steadyjobs.doctor;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs each finding once as long as it lasts, and again when it has become worse. Thread
 * safe.
 */
final class FindingLog {

	private static final Logger logger = LoggerFactory.getLogger(FindingLog.class);

	private final Map<Check, Severity> logged = new EnumMap<>(Check.class);

	private final Supplier<String> redis;

	FindingLog(Supplier<String> redis) {
		this.redis = redis;
	}

	synchronized void write(List<Finding> findings) {
		this.logged.keySet().retainAll(findings.stream().map(Finding::check).toList());
		for (Finding finding : findings) {
			Severity before = this.logged.put(finding.check(), finding.severity());
			if (before == null || before.compareTo(finding.severity()) < 0) {
				write(finding);
			}
		}
	}

	private void write(Finding finding) {
		String text = "{}: {} (steadyjobs.doctor.severity.{})";
		switch (finding.severity()) {
			case OFF, INFO -> logger.info(text, this.redis.get(), finding, finding.check().id());
			case WARN -> logger.warn(text, this.redis.get(), finding, finding.check().id());
			case ERROR, FAIL -> logger.error(text, this.redis.get(), finding, finding.check().id());
		}
	}

}

package io.github.steadyjobs.boot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.recurring.RecurringState;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Reports recurring jobs with a late tick. A late tick affects health only if a live
 * process could run the job.
 */
final class RecurringHealth implements JobsHealthPart {

	private final RecurringReport report;

	RecurringHealth(RecurringReport report) {
		this.report = report;
	}

	@Override
	public Status addTo(Health.Builder builder) {
		List<RecurringState> late = this.report.late();
		if (!late.isEmpty()) {
			Map<String, String> named = new LinkedHashMap<>();
			late.stream()
				.limit(RecurringReport.MOST_NAMED)
				.forEach((state) -> named.put(state.name(), RecurringReport.describe(state)));
			if (late.size() > RecurringReport.MOST_NAMED) {
				named.put("…", "and %d more".formatted(late.size() - RecurringReport.MOST_NAMED));
			}
			builder.withDetail("lateTicks", named);
		}
		boolean isLate = late.stream().anyMatch((state) -> state.status() == RecurringState.Status.ACTIVE);
		return isLate ? Status.OUT_OF_SERVICE : Status.UP;
	}

}

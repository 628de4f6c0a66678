package io.github.steadyjobs.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.github.steadyjobs.doctor.Check;
import io.github.steadyjobs.doctor.Examination;
import io.github.steadyjobs.doctor.Finding;
import io.github.steadyjobs.doctor.Finding.Severity;
import io.github.steadyjobs.recurring.RecurringState;

/**
 * Makes the doctor report recurring jobs that do not run.
 */
final class RecurringCheck implements Examination {

	private final RecurringReport report;

	RecurringCheck(RecurringReport report) {
		this.report = report;
	}

	@Override
	public Check check() {
		return Check.RECURRING;
	}

	@Override
	public Optional<Finding> examine() {
		List<RecurringState> idle = this.report.idle();
		if (idle.isEmpty()) {
			return Optional.empty();
		}
		List<String> texts = new ArrayList<>();
		idle.stream()
			.limit(RecurringReport.MOST_NAMED)
			.forEach((state) -> texts.add("'%s' %s".formatted(state.name(), RecurringReport.describe(state))));
		if (idle.size() > RecurringReport.MOST_NAMED) {
			texts.add("and %d more".formatted(idle.size() - RecurringReport.MOST_NAMED));
		}
		// A pause is made on purpose, so it is reported only as information.
		boolean isWanted = idle.stream().allMatch((state) -> state.pause() != null);
		return Optional.of(new Finding(Check.RECURRING, isWanted ? Severity.INFO : Severity.WARN,
				"Recurring jobs that do not run: " + String.join("; ", texts) + ".",
				isWanted ? "Resume them when they may run again."
						: "Start a process that has the job of one that is parked, or delete one that somebody has created. If one is late, look at the log of the processes that have its job. Resume what is paused when it may run again."));
	}

}

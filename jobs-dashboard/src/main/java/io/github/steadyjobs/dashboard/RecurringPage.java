package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.util.List;

import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.recurring.RecurringState;

/**
 * Shows all recurring jobs.
 */
final class RecurringPage extends Page {

	private final Sample<List<RecurringState>> states;

	RecurringPage(Samples samples, RecurringJobs jobs) {
		super(Area.RECURRING);
		this.states = samples.keep(Duration.ofSeconds(2), jobs::list);
	}

	@Override
	View view(Visit visit) {
		Reading<List<RecurringState>> reading = this.states.read();
		List<RecurringRow> rows = reading.value().stream().map(RecurringRow::new).toList();
		return new View("recurring", Area.RECURRING.title(), rows, reading);
	}

}

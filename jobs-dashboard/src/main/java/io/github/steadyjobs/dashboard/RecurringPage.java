package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.util.List;

import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.recurring.RecurringState;

/**
 * Shows all recurring jobs.
 */
final class RecurringPage implements Page {

	private final Sample<List<RecurringState>> states;

	RecurringPage(Samples samples, RecurringJobs jobs) {
		this.states = samples.keep(Duration.ofSeconds(2), jobs::list);
	}

	@Override
	public String name() {
		return Area.RECURRING.page();
	}

	@Override
	public Area area() {
		return Area.RECURRING;
	}

	@Override
	public View view(Visit visit) {
		Reading<List<RecurringState>> reading = this.states.read();
		List<RecurringRow> rows = reading.value().stream().map(RecurringRow::new).toList();
		return new View("recurring", Area.RECURRING.title(), rows, reading);
	}

}

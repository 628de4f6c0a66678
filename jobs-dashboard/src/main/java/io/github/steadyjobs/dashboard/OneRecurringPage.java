package io.github.steadyjobs.dashboard;

import io.github.steadyjobs.recurring.RecurringJobs;

/**
 * Shows a single recurring job.
 */
final class OneRecurringPage extends Page {

	static final String NAME = "recurring-job";

	private final RecurringJobs jobs;

	OneRecurringPage(RecurringJobs jobs) {
		super(NAME, Area.RECURRING);
		this.jobs = jobs;
	}

	static String address(String name) {
		return Address.of(NAME, "name", name);
	}

	/**
	 * Find the recurring job that a request is about.
	 * @throws RefusedException if there is no recurring job with the requested name
	 */
	static RecurringRow find(RecurringJobs jobs, Visit visit) {
		String name = visit.required("name");
		return jobs.find(name)
			.map(RecurringRow::new)
			.orElseThrow(() -> RefusedException.notFound("refused.recurring", Plain.line(name))
				.backTo(Area.RECURRING.address()));
	}

	@Override
	View view(Visit visit) {
		RecurringRow row = find(this.jobs, visit);
		return new View("recurring_job", Plain.line(row.job().name()), row, Reading.now(row));
	}

}

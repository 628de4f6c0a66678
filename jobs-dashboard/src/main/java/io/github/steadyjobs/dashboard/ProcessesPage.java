package io.github.steadyjobs.dashboard;

import java.util.List;

/**
 * Shows the processes that run jobs, with their capsules and running jobs.
 */
final class ProcessesPage extends Page {

	private final Samples samples;

	private final Limits limits;

	ProcessesPage(Samples samples, Limits limits) {
		super(Area.PROCESSES);
		this.samples = samples;
		this.limits = limits;
	}

	/** Return the address of a process on this page. */
	static String address(String process) {
		return Area.PROCESSES.address() + "#" + anchor(process);
	}

	/** Return the id of the HTML element of a process. */
	static String anchor(String process) {
		return "process-" + process.replaceAll("[^A-Za-z0-9_.-]", "-");
	}

	@Override
	View view(Visit visit) {
		Snapshot snapshot = Snapshot.of(this.samples);
		List<ProcessCard> cards = ProcessCard.of(snapshot, this.limits);
		return new View("processes", Area.PROCESSES.title(), cards, snapshot.processes());
	}

}

package io.github.steadyjobs.dashboard;

import java.util.List;

/**
 * Shows the processes that run jobs, with their capsules and running jobs.
 */
final class ProcessesPage implements Page {

	private final Samples samples;

	private final Limits limits;

	ProcessesPage(Samples samples, Limits limits) {
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
	public String name() {
		return Area.PROCESSES.page();
	}

	@Override
	public Area area() {
		return Area.PROCESSES;
	}

	@Override
	public View view(Visit visit) {
		Snapshot snapshot = Snapshot.of(this.samples);
		List<ProcessCard> cards = ProcessCard.of(snapshot, this.limits);
		return new View("processes", Area.PROCESSES.title(), cards, snapshot.processes());
	}

}

package io.github.steadyjobs.dashboard;

import java.util.Arrays;

import io.github.steadyjobs.admin.JobProcesses;
import org.jspecify.annotations.Nullable;

/**
 * Shows the thread dump of a process after the process has sent it.
 */
final class DumpPage extends Page {

	static final String NAME = "dump";

	private final JobProcesses processes;

	DumpPage(JobProcesses processes) {
		super(NAME, Area.PROCESSES, Role.OPERATE);
		this.processes = processes;
	}

	@Override
	View view(Visit visit) {
		String process = visit.required("process");
		String worker = visit.text("worker");
		String dump = this.processes.threadDump(process, visit.number("number", 0))
			.map((all) -> (worker != null) ? of(worker, all) : all)
			.map(Plain::block)
			.orElse(null);
		// A page with a reading refreshes itself, so the dump appears as soon as it
		// arrives.
		String title = (worker != null) ? Words.of("dump.title.worker", Plain.line(worker), Plain.line(process))
				: Words.of("dump.title", Plain.line(process));
		Dump model = new Dump(process, dump, Address.of(NAME, "process", process, "number", visit.number("number", 0)),
				worker != null);
		return new View("dump", title, model, Reading.now(process));
	}

	/** Return the stack of one thread, from its name to the next empty line. */
	private static String of(String worker, String dump) {
		return Arrays.stream(dump.split("\n\n"))
			.filter((thread) -> thread.startsWith('"' + worker + '"'))
			.findFirst()
			.orElseGet(() -> Words.of("dump.none", Plain.line(worker)));
	}

	/**
	 * The data that the page shows.
	 *
	 * @param text the stacks, {@code null} if the process has not answered yet
	 * @param all the address of the page with the stacks of all threads
	 * @param isPart whether the dump shows only some of the threads
	 */
	record Dump(String process, @Nullable String text, String all, boolean isPart) {

	}

}

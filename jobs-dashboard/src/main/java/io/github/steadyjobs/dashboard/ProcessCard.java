package io.github.steadyjobs.dashboard;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.admin.JobProcess;
import io.github.steadyjobs.admin.JobProcess.Run;
import io.github.steadyjobs.admin.JobProcess.Workers;

/**
 * A process in the list of processes.
 *
 * @param process the latest report of the process
 * @param limits the times after which the process is silent and a run is stuck
 * @param now when the report was read
 */
record ProcessCard(JobProcess process, Limits limits, Instant now) {

	/** Return all processes, ordered by name. */
	static List<ProcessCard> of(Snapshot snapshot, Limits limits) {
		return snapshot.processes()
			.value()
			.stream()
			.map((process) -> new ProcessCard(process, limits, snapshot.now()))
			.toList();
	}

	String name() {
		return this.process.name();
	}

	/** Return the application and its version. */
	String application() {
		return Stream.of(this.process.origin().label(), this.process.origin().version())
			.filter((text) -> !text.isEmpty())
			.map(Plain::line)
			.collect(Collectors.joining(" "));
	}

	boolean isSilent() {
		return this.limits.isSilent(this.process, this.now);
	}

	boolean isRunning() {
		return this.process.state() == JobProcess.State.RUNNING;
	}

	/** Return the state of the process, as used in styles and keys of texts. */
	String state() {
		return isSilent() ? "silent" : this.process.state().name().toLowerCase(Locale.ROOT);
	}

	String stateTitle() {
		return Words.of("process.state." + state());
	}

	int busy() {
		return this.process.capsules().stream().mapToInt(Workers::busy).sum();
	}

	/** Return the percentage of workers that are busy. */
	static int share(int busy, int all) {
		return (all > 0) ? Math.min(100, 100 * busy / all) : 0;
	}

	int share() {
		return share(busy(), this.process.concurrency());
	}

	boolean isStuck(Run run) {
		return this.limits.isStuck(run, this.now);
	}

}

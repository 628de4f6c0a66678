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
 * @param process the process as it last reported itself
 * @param limits after what time it counts as silent, and a run as stuck
 * @param now when the report was read
 */
record ProcessCard(JobProcess process, Limits limits, Instant now) {

	/** Return all processes by name. */
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

	/** Return its state as a style and as the key of a word. */
	String state() {
		return isSilent() ? "silent" : this.process.state().name().toLowerCase(Locale.ROOT);
	}

	String stateTitle() {
		return Words.of("process.state." + state());
	}

	int busy() {
		return this.process.capsules().stream().mapToInt(Workers::busy).sum();
	}

	/** Return which part of a number of workers is busy, in percent. */
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

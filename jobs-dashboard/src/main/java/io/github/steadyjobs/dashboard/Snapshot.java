package io.github.steadyjobs.dashboard;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

import io.github.steadyjobs.admin.JobPause;
import io.github.steadyjobs.admin.JobPause.Kind;
import io.github.steadyjobs.admin.JobProcess;
import io.github.steadyjobs.admin.JobProcess.Run;
import io.github.steadyjobs.admin.JobProcess.Workers;
import io.github.steadyjobs.admin.QueueState;
import org.jspecify.annotations.Nullable;

/**
 * Queues, processes and pauses, read at about the same time.
 *
 * @param queues all queues
 * @param processes all processes
 * @param pauses all pauses
 */
record Snapshot(Reading<List<QueueState>> queues, Reading<List<JobProcess>> processes, Reading<List<JobPause>> pauses) {

	static Snapshot of(Samples samples) {
		return new Snapshot(samples.queues(), samples.processes(), samples.pauses());
	}

	/** Return the time at which the processes were read, from which ages are computed. */
	Instant now() {
		return this.processes.at();
	}

	long total(ToLongFunction<QueueState> count) {
		return this.queues.value().stream().mapToLong(count).sum();
	}

	int workers() {
		return this.processes.value().stream().mapToInt(JobProcess::concurrency).sum();
	}

	@Nullable QueueState queue(String name) {
		return this.queues.value().stream().filter((queue) -> queue.name().equals(name)).findAny().orElse(null);
	}

	/** Return the pause of a queue or of a job name, {@code null} if it is not paused. */
	@Nullable JobPause pauseOf(Kind kind, String name) {
		return PausesPage.find(kind, name, this.pauses.value());
	}

	/** Return the capsules that serve a queue. */
	List<Server> serversOf(String queue) {
		return this.processes.value()
			.stream()
			.flatMap((process) -> process.capsules()
				.stream()
				.filter((capsule) -> capsule.queues().contains(queue))
				.map((capsule) -> new Server(process, capsule)))
			.toList();
	}

	/** Return the runs that processes have reported, the longest first. */
	List<Running> running() {
		return this.processes.value()
			.stream()
			.flatMap((process) -> process.running().stream().map((run) -> new Running(process, run)))
			.sorted(Comparator.comparing((running) -> running.run().since()))
			.toList();
	}

	/** A capsule of a process. */
	record Server(JobProcess process, Workers capsule) {

	}

	/** A run in a process. */
	record Running(JobProcess process, Run run) {

	}

}

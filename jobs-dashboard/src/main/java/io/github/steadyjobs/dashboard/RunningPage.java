package io.github.steadyjobs.dashboard;

import java.util.List;

import io.github.steadyjobs.admin.JobProcess;
import io.github.steadyjobs.admin.JobProcess.Run;
import io.github.steadyjobs.admin.QueueState;
import io.github.steadyjobs.dashboard.ProcessAction.Order;
import io.github.steadyjobs.dashboard.Snapshot.Running;
import org.jspecify.annotations.Nullable;

/**
 * Shows the running jobs, each with its process and the time since it began.
 */
final class RunningPage extends Page {

	private static final int MOST = 500;

	private final Samples samples;

	private final Limits limits;

	RunningPage(Samples samples, Limits limits) {
		super(Area.RUNNING);
		this.samples = samples;
		this.limits = limits;
	}

	/** Return the address at which to ask for the stack of a run. */
	static String stack(String process, Run run) {
		return Address.of(Visit.text(Order.THREAD_DUMP), "process", process, "worker", worker(run));
	}

	/** Return the name of the thread of a run. */
	static String worker(Run run) {
		return "jobs-" + run.capsule() + "-" + run.slot();
	}

	@Override
	View view(Visit visit) {
		String name = visit.text("name");
		String queue = visit.text("queue");
		Snapshot snapshot = Snapshot.of(this.samples);
		List<Running> runs = snapshot.running()
			.stream()
			.filter((running) -> (name == null || running.run().job().equals(name))
					&& (queue == null || running.run().queue().equals(queue)))
			.toList();
		List<Row> rows = runs.stream()
			.limit(MOST)
			.map((running) -> new Row(running, this.limits.isStuck(running.run(), snapshot.now())))
			.toList();
		return new View("running", Area.RUNNING.title(),
				new Runs(rows, runs.size(), name, queue, snapshot.total(QueueState::working), snapshot.workers()),
				snapshot.processes(), snapshot.queues());
	}

	/**
	 * The data that the page shows.
	 *
	 * @param rows the runs, the longest first, at most as many as the page shows
	 * @param all the number of runs, including those that are not shown
	 * @param name the only job name whose runs are shown, {@code null} for all names
	 * @param queue the only queue whose runs are shown, {@code null} for all queues
	 * @param working the number of jobs that processes have claimed, in all queues
	 * @param workers the number of workers in all processes
	 */
	record Runs(List<Row> rows, int all, @Nullable String name, @Nullable String queue, long working, int workers) {

		boolean isFiltered() {
			return this.name != null || this.queue != null;
		}

	}

	/** A run in the table. */
	record Row(Running running, boolean isStuck) {

		Run run() {
			return this.running.run();
		}

		JobProcess process() {
			return this.running.process();
		}

		String stackAddress() {
			return stack(process().name(), run());
		}

	}

}

package io.github.steadyjobs.benchmarks;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.NotIdempotent;

/**
 * The jobs of all measurements. One only counts its runs, the other works for a while.
 */
@NotIdempotent("only counts runs")
class BenchmarkJobs {

	static final String QUEUE = "bench";

	private final Runs runs;

	private final TaskTimes times;

	BenchmarkJobs(Runs runs, TaskTimes times) {
		this.runs = runs;
		this.times = times;
	}

	@Job(name = "bench", queue = QUEUE)
	void run(Argument argument) {
		this.runs.add(argument.i(), argument.t());
	}

	@Job(name = "task", queue = QUEUE)
	void work(Task task, JobContext job) throws Exception {
		long begun = this.times.begun(task, job);
		if (task.millis() > 0) {
			Thread.sleep(task.millis());
		}
		this.times.ended(begun);
		if (job.attempt() <= task.failures()) {
			throw new OrderedFailure();
		}
	}

	/**
	 * The argument of the job, as in the comparison with other systems.
	 *
	 * @param i number of the job
	 * @param t microseconds since the epoch at which it was enqueued, 0 if not timed
	 * @param name some text
	 */
	record Argument(int i, long t, String name) {

		static Argument of(int i, long t) {
			return new Argument(i, t, "user-" + i);
		}

	}

	/**
	 * The argument of a job with some work.
	 *
	 * @param t microseconds since the epoch at which it was enqueued, 0 if not timed
	 * @param millis how long it works
	 * @param failures in how many attempts it fails before it succeeds
	 */
	record Task(long t, int millis, int failures) {

		static final Task EMPTY = new Task(0, 0, 0);

	}

	/**
	 * A failure on request, whose stack trace means nothing.
	 */
	private static final class OrderedFailure extends Exception {

		private static final long serialVersionUID = 1;

		OrderedFailure() {
			super("Failed as ordered", null, false, false);
		}

	}

}

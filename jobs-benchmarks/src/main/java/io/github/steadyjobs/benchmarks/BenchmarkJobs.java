package io.github.steadyjobs.benchmarks;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.NotIdempotent;

/**
 * The jobs of all measurements. One job only counts its runs, and the other job works for
 * a while.
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
	 * The argument of the job that counts its runs. Its fields are the same as in the
	 * comparison with other systems.
	 *
	 * @param i number of the job
	 * @param t time at which the job was enqueued, in microseconds since the epoch; 0 if
	 * the job is not timed
	 * @param name some text
	 */
	record Argument(int i, long t, String name) {

		static Argument of(int i, long t) {
			return new Argument(i, t, "user-" + i);
		}

	}

	/**
	 * The argument of a job that does some work.
	 *
	 * @param t time at which the job was enqueued, in microseconds since the epoch; 0 if
	 * the job is not timed
	 * @param millis duration of the work, in milliseconds
	 * @param failures how many attempts fail before one succeeds
	 */
	record Task(long t, int millis, int failures) {

		static final Task EMPTY = new Task(0, 0, 0);

	}

	/**
	 * A deliberate failure, whose stack trace is not needed.
	 */
	private static final class OrderedFailure extends Exception {

		private static final long serialVersionUID = 1;

		OrderedFailure() {
			super("Failed as ordered", null, false, false);
		}

	}

}

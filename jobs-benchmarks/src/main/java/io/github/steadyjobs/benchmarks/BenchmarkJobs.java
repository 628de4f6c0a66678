package io.github.steadyjobs.benchmarks;

import io.github.steadyjobs.Job;

/**
 * The job of all measurements: it only counts itself.
 */
class BenchmarkJobs {

	private final Runs runs;

	BenchmarkJobs(Runs runs) {
		this.runs = runs;
	}

	@Job(name = "bench", queue = "bench")
	void run(Argument argument) {
		this.runs.add(argument.i(), argument.t());
	}

	/**
	 * What the job is given, as in the comparison with other systems.
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

}

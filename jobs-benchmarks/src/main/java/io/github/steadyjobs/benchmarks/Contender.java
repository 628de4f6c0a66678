package io.github.steadyjobs.benchmarks;

import java.util.List;
import java.util.stream.IntStream;

import io.github.steadyjobs.benchmarks.BenchmarkJobs.Argument;

/**
 * A job system that takes part in a comparison. Its worker calls {@link Runs#add} with
 * the number and the time in each job's argument.
 */
interface Contender extends AutoCloseable {

	/**
	 * Connect to Redis, for systems that would otherwise do so with the first job.
	 */
	default void connect() {
	}

	/**
	 * Queue one job, and return when Redis has it.
	 * @param argument what the job is given
	 */
	void enqueue(Argument argument);

	/**
	 * Queue jobs with the system's bulk call.
	 * @param arguments what the jobs are given, at most 1,000
	 */
	void enqueueAll(List<Argument> arguments);

	/**
	 * Queue numbered jobs, one call each.
	 * @param from number of the first job
	 * @param to number after the last one
	 */
	default void enqueue(int from, int to) {
		for (int i = from; i < to; i++) {
			enqueue(Argument.of(i, 0));
		}
	}

	/**
	 * Queue numbered jobs, 1,000 a call.
	 * @param from number of the first job
	 * @param to number after the last one
	 */
	default void enqueueInBulk(int from, int to) {
		for (int chunk = from; chunk < to; chunk += 1000) {
			enqueueAll(IntStream.range(chunk, Math.min(chunk + 1000, to)).mapToObj((i) -> Argument.of(i, 0)).toList());
		}
	}

	/**
	 * Return the counter of the jobs that have run.
	 */
	Runs runs();

	/**
	 * Start the workers, and return at once.
	 */
	void startWorkers();

	/**
	 * Close the connections. Running workers may fail.
	 */
	@Override
	void close();

}

package io.github.steadyjobs.benchmarks;

import java.util.List;
import java.util.stream.IntStream;

import io.github.steadyjobs.benchmarks.BenchmarkJobs.Argument;

/**
 * A job system that takes part in a comparison. For each job, its worker calls
 * {@link Runs#add} with the number and the time from the job's argument.
 */
interface Contender extends AutoCloseable {

	/**
	 * Connect to Redis. Only systems that would otherwise connect when they enqueue the
	 * first job need to override this method.
	 */
	default void connect() {
	}

	/**
	 * Enqueue one job, and return when Redis has stored it.
	 * @param argument the argument of the job
	 */
	void enqueue(Argument argument);

	/**
	 * Enqueue jobs with the system's bulk call.
	 * @param arguments the arguments of the jobs, at most 1,000
	 */
	void enqueueAll(List<Argument> arguments);

	/**
	 * Enqueue numbered jobs, one per call.
	 * @param from number of the first job
	 * @param to number of the last job, plus one
	 */
	default void enqueue(int from, int to) {
		for (int i = from; i < to; i++) {
			enqueue(Argument.of(i, 0));
		}
	}

	/**
	 * Enqueue numbered jobs, 1,000 per call.
	 * @param from number of the first job
	 * @param to number of the last job, plus one
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
	 * Start the workers, and return immediately.
	 */
	void startWorkers();

	/**
	 * Close the connections. Workers that are still running may fail.
	 */
	@Override
	void close();

}

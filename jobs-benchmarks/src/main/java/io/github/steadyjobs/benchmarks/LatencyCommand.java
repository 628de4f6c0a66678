package io.github.steadyjobs.benchmarks;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.benchmarks.BenchmarkApplication.Running;
import io.github.steadyjobs.benchmarks.BenchmarkJobs.Argument;

/**
 * Measures how long it takes until an idle worker begins a job: from just before the job
 * is enqueued to the first line of its method.
 */
final class LatencyCommand {

	/**
	 * Number of jobs that run before the measurement. In a real application, too, the
	 * code of an idle worker is already warm.
	 */
	private static final int WARM_UP = 200;

	private LatencyCommand() {
	}

	static void run(String[] args) throws Exception {
		Options options = new Options(args, Set.of("redis", "samples", "every"));
		int samples = options.number("samples", 200);
		Duration every = options.duration("every", Duration.ofMillis(20));
		BenchmarkApplication.measure(options.text("redis", "redis://127.0.0.1:6379"), Map.of(),
				(application) -> measure(application, samples, every));
	}

	private static Map<String, Object> measure(Running application, int samples, Duration every) throws Exception {
		Runs runs = application.runs();
		runs.expect(WARM_UP + samples);
		application.workers().start();
		pace(WARM_UP + samples, every, (i) -> application.client().enqueue(Argument.of(i, Runs.nowMicros())));
		runs.await();
		long[] latencies = Arrays.copyOfRange(runs.latencies(), WARM_UP, WARM_UP + samples);
		Arrays.sort(latencies);
		Map<String, Object> figures = new LinkedHashMap<>();
		figures.put("pickup_ms_p50", milliseconds(latencies, 0.5));
		figures.put("pickup_ms_p99", milliseconds(latencies, 0.99));
		figures.put("pickup_ms_max", milliseconds(latencies, 1));
		return figures;
	}

	private static double milliseconds(long[] sorted, double quantile) {
		return sorted[Math.min(sorted.length - 1, (int) (sorted.length * quantile))] / 1000.0;
	}

	static void pace(int count, Duration every, Step step) throws Exception {
		long start = System.nanoTime();
		for (int i = 0; i < count; i++) {
			long due = start + i * every.toNanos();
			while (System.nanoTime() < due) {
				Thread.sleep(1);
			}
			step.run(i);
		}
	}

	/**
	 * One step of a paced loop.
	 */
	interface Step {

		void run(int i) throws Exception;

	}

}

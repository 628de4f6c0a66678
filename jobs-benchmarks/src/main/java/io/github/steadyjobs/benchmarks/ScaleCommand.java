package io.github.steadyjobs.benchmarks;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.benchmarks.BenchmarkApplication.Running;
import io.github.steadyjobs.benchmarks.BenchmarkJobs.Task;
import io.github.steadyjobs.benchmarks.RedisFigures.ScriptCalls;

/**
 * Measures how fast queues of increasing length are drained, by one process and by
 * several processes.
 */
final class ScaleCommand {

	private static final int SMALLEST = 1000;

	/**
	 * The minimum number of jobs per measurement. Shorter queues are drained several
	 * times, because a measurement of a thousand jobs would be too short.
	 */
	private static final int LEAST_JOBS = 5000;

	private static final int WARM_UP = 50_000;

	private final Running application;

	private final String redis;

	private final Map<String, Object> figures = new LinkedHashMap<>();

	private ScaleCommand(Running application, String redis) {
		this.application = application;
		this.redis = redis;
	}

	static void run(String[] args) throws Exception {
		Options options = new Options(args, Set.of("redis", "largest", "processes", "concurrency"));
		List<Integer> processes = Arrays.stream(options.text("processes", "1,2,4").split(","))
			.map(ScaleCommand::processes)
			.toList();
		try (TargetRedis redis = new TargetRedis(options)) {
			BenchmarkApplication.measure(redis.url(), Map.of(),
					(application) -> new ScaleCommand(application, redis.url())
						.measure(options.number("largest", 1_000_000), processes, options.number("concurrency", 10)));
		}
	}

	private static int processes(String number) {
		if (!number.matches("[1-9]\\d?")) {
			throw new IllegalArgumentException(
					"--processes has to be numbers of processes as in '1,2,4', not '%s'".formatted(number));
		}
		return Integer.parseInt(number);
	}

	private Map<String, Object> measure(int largest, List<Integer> processes, int concurrency) throws Exception {
		this.figures.put("concurrency", concurrency);
		for (int count : processes) {
			try (Workers workers = new Workers(count, this.redis, this.application.prefix(),
					BenchmarkApplication.concurrency(concurrency))) {
				// Warm up first. Otherwise, the work of the compiler would be counted as
				// a cost of short queues.
				drain(workers, Math.min(WARM_UP, largest) * count);
				for (long queued = SMALLEST; queued <= largest; queued *= 10) {
					measure(workers, count, (int) queued);
				}
			}
		}
		return this.figures;
	}

	private void measure(Workers workers, int processes, int queued) throws Exception {
		double seconds = 0;
		int jobs = 0;
		ScriptCalls scripts = new ScriptCalls(0, 0);
		while (jobs < LEAST_JOBS) {
			Drain drain = drain(workers, queued);
			seconds += drain.tasks.seconds();
			jobs += queued;
			scripts = ScriptCalls.sum(List.of(scripts, drain.scripts));
		}
		String name = "processes_%d_queued_%d_".formatted(processes, queued);
		this.figures.put(name + "per_s", Math.round(jobs / seconds));
		this.figures.put(name + "redis_us_per_job", Math.round(100.0 * scripts.micros() / jobs) / 100.0);
	}

	private Drain drain(Workers workers, int jobs) throws Exception {
		JobRequest request = JobRequest.of(Task.EMPTY);
		this.application.enqueueTasks(0, jobs, (i) -> request);
		ScriptCalls before = this.application.redis().scriptCalls();
		workers.start();
		this.application.awaitEmpty();
		ScriptCalls scripts = this.application.redis().scriptCalls().since(before);
		workers.stop();
		return new Drain(workers.figures(), scripts);
	}

	/**
	 * The cost of draining a queue.
	 *
	 * @param tasks the figures of the workers
	 * @param scripts the script calls in the same period
	 */
	private record Drain(TaskFigures tasks, ScriptCalls scripts) {

	}

}

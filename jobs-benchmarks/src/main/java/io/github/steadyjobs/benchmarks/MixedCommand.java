package io.github.steadyjobs.benchmarks;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.benchmarks.BenchmarkApplication.Running;
import io.github.steadyjobs.benchmarks.BenchmarkJobs.Task;

/**
 * Measures a realistic workload: three queues with different weights, some work, some
 * failures, some delays.
 */
final class MixedCommand {

	private static final Map<String, Integer> WEIGHTS = new LinkedHashMap<>();

	static {
		WEIGHTS.put(BenchmarkJobs.QUEUE, 6);
		WEIGHTS.put("default", 3);
		WEIGHTS.put("low", 1);
	}

	private static final int ONE_FAILS_OF = 20;

	private static final int ONE_LATER_OF = 10;

	private final Running application;

	private final int jobs;

	private final int concurrency;

	private MixedCommand(Running application, int jobs, int concurrency) {
		this.application = application;
		this.jobs = jobs;
		this.concurrency = concurrency;
	}

	static void run(String[] args) throws Exception {
		Options options = new Options(args, Set.of("redis", "jobs", "concurrency", "seed"));
		int jobs = options.number("jobs", 100_000);
		int concurrency = options.number("concurrency", 10);
		Map<String, Object> properties = new HashMap<>(BenchmarkApplication.concurrency(concurrency));
		WEIGHTS.forEach((queue, weight) -> properties.put("steadyjobs.queues." + queue + ".weight", weight));
		BenchmarkApplication.measure(options.text("redis", "redis://127.0.0.1:6379"), properties,
				(application) -> new MixedCommand(application, jobs, concurrency)
					.measure(new Random(options.number("seed", 42))));
	}

	private Map<String, Object> measure(Random random) throws Exception {
		TaskTimes times = this.application.tasks();
		// Count only a quarter of the jobs, because no queue is empty before half of all
		// jobs have run.
		int counted = Math.max(1, this.jobs / 4);
		times.countQueuesOf(counted);
		List<String> queues = List.copyOf(WEIGHTS.keySet());
		this.application.enqueueTasks(0, this.jobs, (i) -> request(queues.get(i % queues.size()), random));
		long roundTrips = this.application.redis().roundTrips();
		this.application.workers().start();
		for (String queue : queues) {
			this.application.awaitEmpty(queue);
		}
		TaskFigures tasks = times.take();
		Map<String, Object> figures = new LinkedHashMap<>();
		figures.put("jobs", this.jobs);
		figures.put("concurrency", this.concurrency);
		figures.put("runs", tasks.ended());
		figures.put("runs_per_s", tasks.perSecond());
		figures.put("workers_busy_percent",
				Math.round(tasks.worked() / (10_000.0 * this.concurrency * tasks.seconds())));
		Map<String, Integer> first = times.firstOfQueues();
		int all = WEIGHTS.values().stream().mapToInt(Integer::intValue).sum();
		WEIGHTS.forEach((queue, weight) -> {
			figures.put("share_%s_percent".formatted(queue), Math.round(
					100.0 * first.getOrDefault(queue, 0) / first.values().stream().mapToInt(Integer::intValue).sum()));
			figures.put("weight_%s_percent".formatted(queue), 100 * weight / all);
		});
		double perRun = (this.application.redis().roundTrips() - roundTrips) / (double) tasks.ended();
		figures.put("redis_round_trips_per_run", Math.round(perRun * 1000) / 1000.0);
		return figures;
	}

	private static JobRequest request(String queue, Random random) {
		int failures = (random.nextInt(ONE_FAILS_OF) == 0) ? 1 : 0;
		JobRequest request = JobRequest.of(new Task(0, 1, failures)).queue(queue);
		boolean later = random.nextInt(ONE_LATER_OF) == 0;
		return later ? request.after(Duration.ofMillis(random.nextInt(1, 2000))) : request;
	}

}

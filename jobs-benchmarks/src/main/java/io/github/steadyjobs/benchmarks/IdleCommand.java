package io.github.steadyjobs.benchmarks;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.steadyjobs.benchmarks.BenchmarkApplication.Running;

/**
 * Measures the cost of an idle process: Redis commands and processor time.
 */
final class IdleCommand {

	private final Running application;

	private final String redis;

	private IdleCommand(Running application, String redis) {
		this.application = application;
		this.redis = redis;
	}

	static void run(String[] args) throws Exception {
		Options options = new Options(args, Set.of("redis", "capsules", "queues", "settle", "seconds"));
		int capsules = options.number("capsules", 1);
		int queues = options.number("queues", capsules);
		if (queues < capsules) {
			throw new IllegalArgumentException(
					"--queues has to be %d or more, one for each capsule, not '%d'".formatted(capsules, queues));
		}
		try (TargetRedis redis = new TargetRedis(options)) {
			BenchmarkApplication.measure(redis.url(), Map.of(),
					(application) -> new IdleCommand(application, redis.url()).measure(capsules, queues,
							options.number("settle", 20), options.number("seconds", 30)));
		}
	}

	private Map<String, Object> measure(int capsules, int queues, int settle, int seconds) throws Exception {
		try (Workers workers = new Workers(1, this.redis, this.application.prefix(), properties(capsules, queues));
				Monitor monitor = new Monitor(this.redis)) {
			workers.start();
			// Work left over from the start, such as compilation, must not be counted.
			Thread.sleep(settle * 1000L);
			long start = System.nanoTime();
			Duration processor = workers.processorTime();
			monitor.reset();
			Thread.sleep(seconds * 1000L);
			Map<String, Integer> commands = monitor.counts();
			long used = workers.processorTime().minus(processor).toNanos();
			int sent = commands.values().stream().mapToInt(Integer::intValue).sum();
			Map<String, Object> figures = new LinkedHashMap<>();
			figures.put("capsules", capsules);
			figures.put("queues", queues);
			figures.put("seconds", seconds);
			figures.put("commands", commands);
			figures.put("commands_per_s", hundredths(sent / (double) seconds));
			figures.put("allowed_commands_per_s", (capsules + queues + waitingClaims(capsules, queues)) * 0.5);
			figures.put("cpu_percent", hundredths(100.0 * used / (System.nanoTime() - start)));
			return figures;
		}
	}

	/** Return how many claims wait while the capsules are idle: at most four for each. */
	private static int waitingClaims(int capsules, int queues) {
		return IntStream.range(0, capsules)
			.map((capsule) -> Math.min(4, (queues - capsule + capsules - 1) / capsules))
			.sum();
	}

	private static Map<String, Object> properties(int capsules, int queues) {
		Map<String, Object> properties = new HashMap<>();
		for (int capsule = 0; capsule < capsules; capsule++) {
			int first = capsule;
			properties.put("steadyjobs.capsules.%s.queues".formatted((capsule == 0) ? "default" : "idle-" + capsule),
					IntStream.iterate(first, (queue) -> queue < queues, (queue) -> queue + capsules)
						.mapToObj((queue) -> (queue == 0) ? BenchmarkJobs.QUEUE : "idle-" + queue)
						.collect(Collectors.joining(",")));
		}
		return properties;
	}

	private static double hundredths(double value) {
		return Math.round(value * 100) / 100.0;
	}

}

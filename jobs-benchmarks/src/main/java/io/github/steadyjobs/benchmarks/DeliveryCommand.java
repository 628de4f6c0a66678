package io.github.steadyjobs.benchmarks;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Measures what delivery at least once costs, compared with delivery at most once. Jobs
 * that run at most once are never claimed ahead, so a third application delivers at least
 * once without claiming ahead.
 */
final class DeliveryCommand {

	private static final String CLAIM_AHEAD = "steadyjobs.capsules.default.claim-ahead";

	private DeliveryCommand() {
	}

	static void run(String[] args) throws Exception {
		Options options = new Options(args, Set.of("redis", "jobs", "rounds", "concurrency"));
		int jobs = options.number("jobs", 100_000);
		int rounds = options.number("rounds", 3);
		Map<String, Object> properties = BenchmarkApplication.concurrency(options.number("concurrency", 10));
		try (TargetRedis redis = new TargetRedis(options);
				Drains drains = new Drains(List.of(BenchmarkJobs.QUEUE), jobs)) {
			drains.add("at_least_once", redis, properties);
			drains.add("at_least_once_not_ahead", redis, with(properties, CLAIM_AHEAD, "0"));
			drains.add("at_most_once", redis,
					with(properties, "steadyjobs.queues.%s.delivery".formatted(BenchmarkJobs.QUEUE), "at-most-once"));
			Json.print(drains.measure(rounds));
		}
	}

	private static Map<String, Object> with(Map<String, Object> properties, String name, String value) {
		Map<String, Object> all = new HashMap<>(properties);
		all.put(name, value);
		return all;
	}

}

package io.github.steadyjobs.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Measures whether more fetchers, each with a connection of its own, drain three queues
 * faster. The number of workers is always the same.
 */
final class FetchersCommand {

	private static final List<String> QUEUES = List.of("first", "second", "third");

	private static final List<Integer> FETCHERS = List.of(3, 12, 30);

	private static final int WORKERS = 60;

	private FetchersCommand() {
	}

	static void run(String[] args) throws Exception {
		Options options = new Options(args, Set.of("redis", "jobs", "rounds"));
		int jobs = options.number("jobs", 100_000);
		int rounds = options.number("rounds", 3);
		try (TargetRedis redis = new TargetRedis(options); Drains drains = new Drains(QUEUES, jobs)) {
			for (int fetchers : FETCHERS) {
				drains.add("fetchers_" + fetchers, redis, properties(fetchers));
			}
			Json.print(drains.measure(rounds));
		}
	}

	/**
	 * Return the properties of capsules with one queue each.
	 */
	private static Map<String, Object> properties(int fetchers) {
		Map<String, Object> properties = new LinkedHashMap<>();
		for (int i = 0; i < fetchers; i++) {
			String capsule = "steadyjobs.capsules.fetcher-%d.".formatted(i);
			properties.put(capsule + "queues", QUEUES.get(i % QUEUES.size()));
			properties.put(capsule + "concurrency", WORKERS / fetchers);
		}
		return properties;
	}

}

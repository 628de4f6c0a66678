package io.github.steadyjobs.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.benchmarks.BenchmarkApplication.Running;

/**
 * Measures how fast jobs are enqueued, singly and in bulk, and how fast they run.
 */
final class ThroughputCommand {

	private ThroughputCommand() {
	}

	static void run(String[] args) throws Exception {
		Options options = new Options(args, Set.of("redis", "jobs", "concurrency"));
		int jobs = options.number("jobs", 100_000);
		int concurrency = options.number("concurrency", 10);
		BenchmarkApplication.measure(options.text("redis", "redis://127.0.0.1:6379"),
				BenchmarkApplication.concurrency(concurrency),
				(application) -> measure(application, jobs, concurrency));
	}

	private static Map<String, Object> measure(Running application, int jobs, int concurrency) throws Exception {
		Map<String, Object> figures = new LinkedHashMap<>();
		figures.put("jobs", jobs);
		figures.put("concurrency", concurrency);
		RedisFigures redis = application.redis();
		int single = jobs / 10;
		// The first job opens connections and creates keys, which must not be measured.
		application.runs().expect(jobs);
		application.enqueue(0, Math.min(1, single));
		long memory = redis.usedMemory();

		figures.put("enqueue_single_per_s",
				perSecond(single - 1, () -> application.enqueue(Math.min(1, single), single)));
		figures.put("enqueue_bulk_per_s", perSecond(jobs - single, () -> application.enqueueInBulk(single, jobs)));
		long bytes = (redis.usedMemory() - memory) / jobs;
		long roundTrips = redis.roundTrips();
		application.workers().start();
		application.runs().await();

		figures.put("drain_per_s", application.runs().perSecond());
		figures.put("drain_2nd_half_per_s", application.runs().perSecondOfSecondHalf());
		double perJob = (redis.roundTrips() - roundTrips) / (double) jobs;
		figures.put("redis_round_trips_per_job", Math.round(perJob * 1000) / 1000.0);
		figures.put("redis_bytes_per_queued_job", bytes);
		figures.put("peak_rss_mb", ProcessMemory.peakMegabytes());
		return figures;
	}

	private static long perSecond(int count, Runnable work) {
		long start = System.nanoTime();
		work.run();
		return Math.round(count * 1e9 / Math.max(1, System.nanoTime() - start));
	}

}

package io.github.steadyjobs.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.benchmarks.BenchmarkApplication.Running;
import io.github.steadyjobs.benchmarks.RedisFigures.ScriptCalls;

/**
 * Measures ordered jobs: how fast updates of many or of few keys are enqueued and
 * drained, how many runs are needed for the updates of a few keys, and whether any update
 * runs after a newer update.
 */
final class SequentialCommand {

	/** The property that adds the ordered job to the application. */
	static final String PROPERTY = "benchmarks.sequential";

	private static final int CHUNK = 1000;

	private SequentialCommand() {
	}

	static void run(String[] args) throws Exception {
		Options options = new Options(args, Set.of("redis", "jobs", "keys", "concurrency", "rounds"));
		int jobs = options.number("jobs", 100_000);
		int[] keys = Stream.of(options.text("keys", "100000").split(",")).mapToInt(Integer::parseInt).toArray();
		int concurrency = options.number("concurrency", 5);
		int rounds = options.number("rounds", 1);
		BenchmarkApplication.measure(options.text("redis", "redis://127.0.0.1:6379"),
				Map.of("steadyjobs.capsules.default.concurrency", concurrency, PROPERTY, true),
				(application) -> measure(application, jobs, keys, concurrency, rounds));
	}

	/**
	 * Measure each number of keys in turn.
	 * @return the medians. If there are several numbers of keys, the names of the figures
	 * begin with the number
	 */
	private static Map<String, Object> measure(Running application, int jobs, int[] keys, int concurrency, int rounds)
			throws Exception {
		Map<String, List<Long>> all = new LinkedHashMap<>();
		for (int round = 0; round < rounds; round++) {
			for (int count : keys) {
				measure(application, jobs, count).forEach(
						(name, figure) -> all
							.computeIfAbsent((keys.length > 1) ? "keys_%d_%s".formatted(count, name) : name,
									(full) -> new ArrayList<>())
							.add(figure));
			}
		}
		Map<String, Object> figures = new LinkedHashMap<>();
		figures.put("jobs", jobs);
		figures.put("keys", (keys.length > 1) ? Arrays.toString(keys) : keys[0]);
		figures.put("concurrency", concurrency);
		all.forEach((name, values) -> figures.put(name, values.stream().sorted().toList().get(values.size() / 2)));
		return figures;
	}

	private static Map<String, Long> measure(Running application, int jobs, int keys) throws Exception {
		Updates updates = application.context().getBean(Updates.class);
		updates.expect(jobs, keys);
		ScriptCalls before = application.redis().scriptCalls();
		long begun = System.nanoTime();
		for (int from = 0; from < jobs; from += CHUNK) {
			application.client().enqueueAll(requests(from, Math.min(from + CHUNK, jobs), keys));
		}
		long enqueued = System.nanoTime();
		ScriptCalls pushed = application.redis().scriptCalls().since(before);
		application.workers().start();
		updates.await();
		// Includes the settlements of the last jobs.
		application.workers().stop();
		Map<String, Long> figures = new LinkedHashMap<>();
		figures.put("enqueue_bulk_per_s", Math.round(jobs * 1e9 / (enqueued - begun)));
		figures.put("enqueue_redis_ns_per_job", pushed.micros() * 1000 / jobs);
		figures.put("drain_per_s", Math.round(jobs * 1e9 / (updates.last - updates.first)));
		figures.put("runs", (long) updates.runs.get());
		figures.put("order_violations", (long) updates.violations.get());
		return figures;
	}

	private static List<JobRequest> requests(int from, int to, int keys) {
		return IntStream.range(from, to)
			.mapToObj((number) -> JobRequest.of(new Update(number % keys, number / keys)))
			.toList();
	}

	/**
	 * A change to an object.
	 *
	 * @param key the object that has changed
	 * @param version the number of the change, from 0
	 */
	record Update(int key, int version) {

	}

	/**
	 * The ordered job, which only checks the order of the updates. Thread-safe.
	 */
	static class Updates {

		private final AtomicInteger runs = new AtomicInteger();

		private final AtomicInteger violations = new AtomicInteger();

		private final AtomicInteger left = new AtomicInteger();

		private volatile CountDownLatch complete = new CountDownLatch(1);

		private volatile AtomicIntegerArray next = new AtomicIntegerArray(0);

		private volatile long first;

		private volatile long last;

		void expect(int jobs, int keys) {
			this.next = new AtomicIntegerArray(keys);
			this.complete = new CountDownLatch(1);
			this.runs.set(0);
			this.violations.set(0);
			this.left.set(jobs);
		}

		void await() throws InterruptedException {
			this.complete.await();
		}

		@Job(name = "updates")
		@Sequential(key = "#payload.key", score = "#payload.version")
		void run(List<Update> updates) {
			if (this.runs.getAndIncrement() == 0) {
				this.first = System.nanoTime();
			}
			for (Update update : updates) {
				if (this.next.getAndSet(update.key(), update.version() + 1) != update.version()) {
					this.violations.incrementAndGet();
				}
			}
			if (this.left.addAndGet(-updates.size()) == 0) {
				this.last = System.nanoTime();
				this.complete.countDown();
			}
		}

	}

}

package io.github.steadyjobs.benchmarks;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.ToLongFunction;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.benchmarks.BenchmarkApplication.Running;
import io.github.steadyjobs.benchmarks.BenchmarkJobs.Task;

/**
 * Enqueues and runs jobs for a long time, and checks whether memory use, threads or keys
 * increase. Some of the jobs have locks, fail or are delayed. Each check waits until all
 * jobs have run.
 */
final class SoakCommand {

	private static final int BATCH = 1000;

	private static final int THREADS_OF_CHANCE = 2;

	private static final int KEYS_OF_CHANCE = 2;

	/**
	 * Growth of the heap, in bytes, that is attributed to chance: caches fill up, and the
	 * tables of hash maps double in size now and then.
	 */
	private static final long HEAP_OF_CHANCE = 4 << 20;

	private static final long REDIS_OF_CHANCE = 512 << 10;

	private final Running application;

	private final int wanted;

	private final Random random = new Random(42);

	private final List<Look> looks = new ArrayList<>();

	private long jobs;

	private SoakCommand(Running application, int looks) {
		this.application = application;
		this.wanted = looks;
	}

	/**
	 * Run the program.
	 * @return 1 if one of the figures grew, otherwise 0
	 */
	static int run(String[] args) throws Exception {
		Options options = new Options(args, Set.of("redis", "duration", "looks"));
		Duration duration = options.duration("duration", Duration.ofMinutes(10));
		int looks = options.number("looks", 30);
		if (looks < 3) {
			throw new IllegalArgumentException(
					"--looks has to be 3 or more, so that a third of them is at least one, not '%d'".formatted(looks));
		}
		List<Boolean> grew = new ArrayList<>();
		BenchmarkApplication.measure(options.text("redis", "redis://127.0.0.1:6379"), Map.of(), (application) -> {
			Map<String, Object> figures = new SoakCommand(application, looks).measure(duration);
			grew.add((Boolean) figures.get("grew"));
			return figures;
		});
		return grew.contains(true) ? 1 : 0;
	}

	private Map<String, Object> measure(Duration duration) throws Exception {
		this.application.workers().start();
		long start = System.nanoTime();
		for (int i = 1; i <= this.wanted; i++) {
			long end = start + duration.toNanos() / this.wanted * i;
			do {
				this.application.enqueueTasks(0, BATCH, (job) -> request());
				this.jobs += BATCH;
				this.application.awaitEmpty();
			}
			while (System.nanoTime() - end < 0);
			this.looks.add(look());
			this.application.tasks().take();
		}
		Map<String, Object> figures = new LinkedHashMap<>();
		figures.put("jobs", this.jobs);
		boolean grew = put(figures, "heap_kb", Look::heap, HEAP_OF_CHANCE, 1024);
		grew |= put(figures, "redis_kb", Look::redis, REDIS_OF_CHANCE, 1024);
		grew |= put(figures, "threads", Look::threads, THREADS_OF_CHANCE, 1);
		grew |= put(figures, "keys", Look::keys, KEYS_OF_CHANCE, 1);
		figures.put("grew", grew);
		return figures;
	}

	private JobRequest request() {
		int drawn = this.random.nextInt(20);
		JobRequest request = JobRequest.of(new Task(Runs.nowMicros(), 0, (drawn == 0) ? 1 : 0));
		if (drawn < 3) {
			return request.idempotent(Idempotence.untilExecuted().key("soak " + this.random.nextLong()));
		}
		return (drawn == 3) ? request.after(Duration.ofMillis(100)) : request;
	}

	private Look look() {
		// Collect twice, because the first collection may not free objects that have only
		// just become unreachable.
		System.gc();
		System.gc();
		RedisFigures redis = this.application.redis();
		return new Look(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(), redis.usedMemory(),
				ManagementFactory.getThreadMXBean().getThreadCount(), redis.keys(this.application.prefix()));
	}

	/**
	 * Compare the middle third of the measurements with the last third. The first third
	 * is left out because it includes the start.
	 * @return whether the figure grew by more than chance explains
	 */
	private boolean put(Map<String, Object> figures, String name, ToLongFunction<Look> what, long chance, long unit) {
		long middle = median(this.looks.subList(this.wanted / 3, 2 * this.wanted / 3), what);
		long last = median(this.looks.subList(2 * this.wanted / 3, this.wanted), what);
		figures.put(name, this.looks.stream().map((look) -> what.applyAsLong(look) / unit).toList());
		figures.put(name + "_growth", (last - middle) / unit);
		return last - middle > chance;
	}

	private static long median(List<Look> looks, ToLongFunction<Look> what) {
		return looks.stream().mapToLong(what).sorted().skip(looks.size() / 2).findFirst().orElseThrow();
	}

	/**
	 * The resources in use at a time when there were no jobs.
	 *
	 * @param heap bytes occupied by live objects
	 * @param redis bytes that the server uses
	 * @param threads number of platform threads
	 * @param keys number of keys
	 */
	private record Look(long heap, long redis, long threads, long keys) {

	}

}

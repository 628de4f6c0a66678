package io.github.steadyjobs.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.benchmarks.BenchmarkApplication.Running;
import io.github.steadyjobs.benchmarks.BenchmarkJobs.Task;
import org.HdrHistogram.Histogram;

/**
 * Measures how much claim-ahead delays the jobs that are claimed ahead. Turns with and
 * without claim-ahead alternate. In each turn, two processes with ten workers each run
 * the same jobs: first a set in which one job in a hundred is long, and then a paced
 * stream of short jobs mixed with long ones.
 */
final class FairnessCommand {

	private static final int PROCESSES = 2;

	private static final int CONCURRENCY = 10;

	private static final int LONG_MILLIS = 500;

	private static final int ONE_LONG_OF = 100;

	private static final int SHORT_PER_SECOND = 200;

	/**
	 * Long jobs per second, so that on average half of the workers are busy with them.
	 */
	private static final int LONG_PER_SECOND = PROCESSES * CONCURRENCY * 1000 / LONG_MILLIS / 2;

	private static final int WARM_UP = 20_000;

	private final Running application;

	private final String redis;

	private final int jobs;

	private final int seconds;

	private final long seed;

	private FairnessCommand(Running application, String redis, Options options) {
		this.application = application;
		this.redis = redis;
		this.jobs = options.number("jobs", 100_000);
		this.seconds = options.number("seconds", 30);
		this.seed = options.number("seed", 42);
	}

	static void run(String[] args) throws Exception {
		Options options = new Options(args, Set.of("redis", "jobs", "seconds", "runs", "seed"));
		try (TargetRedis redis = new TargetRedis(options)) {
			BenchmarkApplication.measure(redis.url(), Map.of(),
					(application) -> new FairnessCommand(application, redis.url(), options)
						.measure(options.number("runs", 5)));
		}
	}

	private Map<String, Object> measure(int runs) throws Exception {
		List<Turn> on = new ArrayList<>();
		List<Turn> off = new ArrayList<>();
		for (int i = 0; i < runs; i++) {
			on.add(turn("5ms"));
			off.add(turn("0"));
		}
		Map<String, Object> figures = new LinkedHashMap<>();
		figures.put("jobs", this.jobs);
		figures.put("runs", runs);
		put(figures, "on_", on);
		put(figures, "off_", off);
		figures.put("total_on_of_off", Math.round(1000 * Turn.medianSeconds(on) / Turn.medianSeconds(off)) / 1000.0);
		return figures;
	}

	private static void put(Map<String, Object> figures, String name, List<Turn> turns) {
		TaskFigures mix = TaskFigures.sum(turns.stream().map(Turn::mix).toList());
		TaskFigures paced = TaskFigures.sum(turns.stream().map(Turn::paced).toList());
		figures.put(name + "total_s",
				turns.stream().map((turn) -> Math.round(turn.mix().seconds() * 100) / 100.0).toList());
		putClaims(figures, name + "mix_", mix);
		putClaims(figures, name + "paced_", paced);
		Histogram waited = paced.fromEnqueue();
		figures.put(name + "paced_enqueue_to_begin_p50_ms", TaskFigures.milliseconds(waited, 50));
		figures.put(name + "paced_enqueue_to_begin_p999_ms", TaskFigures.milliseconds(waited, 99.9));
		figures.put(name + "paced_enqueue_to_begin_max_ms", TaskFigures.milliseconds(waited.getMaxValue()));
	}

	private static void putClaims(Map<String, Object> figures, String name, TaskFigures tasks) {
		figures.put(name + "claim_to_begin_p999_ms", TaskFigures.milliseconds(tasks.fromClaim(), 99.9));
		figures.put(name + "claim_to_begin_max_ms", TaskFigures.milliseconds(tasks.fromClaim().getMaxValue()));
		figures.put(name + "claim_to_begin_max_outside_pauses_ms",
				TaskFigures.milliseconds(tasks.longestOutsidePauses()));
	}

	private Turn turn(String claimAhead) throws Exception {
		Map<String, Object> properties = Map.of("steadyjobs.capsules.default.concurrency", CONCURRENCY,
				"steadyjobs.capsules.default.claim-ahead", claimAhead);
		try (Workers workers = new Workers(PROCESSES, this.redis, this.application.prefix(), properties)) {
			workers.watchPauses();
			drain(workers, Math.min(WARM_UP, this.jobs), new BitSet());
			TaskFigures mix = drain(workers, this.jobs, longJobs());
			workers.start();
			pace();
			this.application.awaitEmpty();
			return new Turn(mix, workers.figures());
		}
	}

	private BitSet longJobs() {
		Random random = new Random(this.seed);
		BitSet chosen = new BitSet(this.jobs);
		while (chosen.cardinality() < this.jobs / ONE_LONG_OF) {
			chosen.set(random.nextInt(this.jobs));
		}
		return chosen;
	}

	/**
	 * Enqueue all jobs before the workers start, and then run them.
	 */
	private TaskFigures drain(Workers workers, int count, BitSet longJobs) throws Exception {
		this.application.enqueueTasks(0, count,
				(i) -> JobRequest.of(longJobs.get(i) ? new Task(0, LONG_MILLIS, 0) : Task.EMPTY));
		workers.start();
		this.application.awaitEmpty();
		workers.stop();
		return workers.figures();
	}

	/**
	 * Enqueue short jobs at a steady pace, and long jobs at random times in between.
	 */
	private void pace() {
		Random random = new Random(this.seed);
		long start = System.nanoTime();
		long end = Duration.ofSeconds(this.seconds).toNanos();
		long nextShort = 0;
		long nextLong = 0;
		while (Math.min(nextShort, nextLong) < end) {
			boolean isShort = nextShort <= nextLong;
			awaitNanos(start + Math.min(nextShort, nextLong));
			this.application.client().enqueue(isShort ? new Task(Runs.nowMicros(), 0, 0) : new Task(0, LONG_MILLIS, 0));
			if (isShort) {
				nextShort += 1_000_000_000L / SHORT_PER_SECOND;
			}
			else {
				// In a Poisson process, intervals are distributed exponentially.
				nextLong += (long) (-Math.log(1 - random.nextDouble()) * 1e9 / LONG_PER_SECOND);
			}
		}
	}

	private static void awaitNanos(long due) {
		for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
			LockSupport.parkNanos(left);
		}
	}

	/**
	 * The figures of one turn.
	 *
	 * @param mix figures of the jobs that were all enqueued before the start
	 * @param paced figures of the jobs that were enqueued while the workers were running
	 */
	private record Turn(TaskFigures mix, TaskFigures paced) {

		static double medianSeconds(List<Turn> turns) {
			return turns.stream()
				.mapToDouble((turn) -> turn.mix.seconds())
				.sorted()
				.skip(turns.size() / 2)
				.findFirst()
				.orElseThrow();
		}

	}

}

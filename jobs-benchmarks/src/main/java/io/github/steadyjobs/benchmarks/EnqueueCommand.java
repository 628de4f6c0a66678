package io.github.steadyjobs.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.steadyjobs.benchmarks.BenchmarkApplication.Running;
import io.github.steadyjobs.benchmarks.BenchmarkJobs.Argument;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Measures single pushes by an increasing number of threads. For comparison, it also
 * measures pushes by {@link Ceiling}, each of which is a single {@code LPUSH}.
 */
final class EnqueueCommand {

	private final Map<String, Object> figures = new LinkedHashMap<>();

	private final Running application;

	private final Contender ceiling;

	private final Duration turn;

	private EnqueueCommand(Running application, Contender ceiling, Duration turn) {
		this.application = application;
		this.ceiling = ceiling;
		this.turn = turn;
	}

	static void run(String[] args) throws Exception {
		Options options = new Options(args, Set.of("redis", "threads", "turn"));
		int most = options.number("threads", 64);
		Duration turn = options.duration("turn", Duration.ofSeconds(3));
		try (TargetRedis redis = new TargetRedis(options); Contender ceiling = new Ceiling(redis.url(), 1, false)) {
			BenchmarkApplication.measure(redis.url(), Map.of(),
					(application) -> new EnqueueCommand(application, ceiling, turn).measure(most));
		}
	}

	private Map<String, Object> measure(int most) throws Exception {
		// The first turns only warm up the code.
		Turn.take(this.application, 1, this.turn);
		Turn.take(this.ceiling, 1, this.turn);
		for (int threads = 1; threads <= most; threads *= 2) {
			// Delete the pushed jobs only to free memory: the length of a list does not
			// affect the speed of pushes.
			this.application.redis().clear(this.application.prefix());
			Turn ours = Turn.take(this.application, threads, this.turn);
			Turn theirs = Turn.take(this.ceiling, threads, this.turn);
			this.application.redis().delete(Ceiling.QUEUE);
			String name = "threads_%d_".formatted(threads);
			this.figures.put(name + "per_s", ours.perSecond());
			this.figures.put(name + "p50_us", ours.micros().getValueAtPercentile(50));
			this.figures.put(name + "p99_us", ours.micros().getValueAtPercentile(99));
			this.figures.put(name + "ceiling_per_s", theirs.perSecond());
			this.figures.put(name + "of_ceiling", Math.round(100.0 * ours.perSecond() / theirs.perSecond()) / 100.0);
		}
		return this.figures;
	}

	/**
	 * The result of pushes by several threads, one job per call.
	 *
	 * @param perSecond jobs per second, for all threads combined
	 * @param micros duration of the calls, in microseconds
	 */
	private record Turn(long perSecond, Histogram micros) {

		static Turn take(Contender contender, int threads, Duration time) throws Exception {
			Histogram micros = new ConcurrentHistogram(3);
			micros.setAutoResize(true);
			Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
			long start = System.nanoTime();
			List<Thread> running = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				Thread thread = new Thread(() -> push(contender, start + time.toNanos(), micros, failures));
				thread.start();
				running.add(thread);
			}
			for (Thread thread : running) {
				thread.join();
			}
			if (!failures.isEmpty()) {
				throw failures.remove();
			}
			return new Turn(Math.round(micros.getTotalCount() * 1e9 / (System.nanoTime() - start)), micros);
		}

		private static void push(Contender contender, long end, Histogram micros, Queue<RuntimeException> failures) {
			try {
				long now = System.nanoTime();
				for (int i = 0; now < end; i++) {
					contender.enqueue(Argument.of(i, 0));
					long then = now;
					now = System.nanoTime();
					micros.recordValue((now - then) / 1000);
				}
			}
			catch (RuntimeException ex) {
				failures.add(ex);
			}
		}

	}

}

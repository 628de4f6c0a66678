package io.github.steadyjobs.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import com.sun.management.OperatingSystemMXBean;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.benchmarks.BenchmarkApplication.Running;
import io.github.steadyjobs.benchmarks.BenchmarkJobs.Argument;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.export.SpanExporter;

/**
 * Measures what observations of jobs cost, with a tracer that samples every tenth trace.
 * Two applications with the tracer take turns, and only one of them observes jobs.
 */
final class TracingCommand {

	/**
	 * Property of applications that have the tracer.
	 */
	static final String PROPERTY = "bench.tracing";

	private static final int WARM_UP = 10;

	private static final int THREADS = 8;

	private static final Runnable NOTHING = () -> {
	};

	private final Running plain;

	private final Running traced;

	private final int jobs;

	private final int rounds;

	private final Map<String, Object> figures = new LinkedHashMap<>();

	private TracingCommand(Running plain, Running traced, int jobs, int rounds) {
		this.plain = plain;
		this.traced = traced;
		this.jobs = jobs;
		this.rounds = rounds;
	}

	static void run(String[] args) throws Exception {
		Options options = new Options(args, Set.of("redis", "jobs", "rounds", "concurrency"));
		int jobs = options.number("jobs", 20_000);
		int rounds = options.number("rounds", 15);
		Map<String, Object> properties = BenchmarkApplication.concurrency(options.number("concurrency", 10));
		properties = new LinkedHashMap<>(properties);
		properties.putAll(Map.of(PROPERTY, true, "spring.autoconfigure.exclude", "",
				"management.tracing.sampling.probability", 0.1));
		Map<String, Object> unobserved = new LinkedHashMap<>(properties);
		// Both have the tracer, because Spring Boot also makes spans of commands to
		// Redis.
		unobserved.put("management.observations.enable.jobs", false);
		try (TargetRedis redis = new TargetRedis(options);
				Running plain = start(redis, unobserved);
				Running traced = start(redis, properties)) {
			try {
				Json.print(new TracingCommand(plain, traced, jobs, rounds).measure());
			}
			finally {
				end(plain);
				end(traced);
			}
		}
	}

	private static Running start(TargetRedis redis, Map<String, ?> properties) {
		return BenchmarkApplication.start(redis.url(), "bench-" + UUID.randomUUID(), properties);
	}

	private static void end(Running application) {
		application.workers().stop();
		application.redis().clear(application.prefix());
	}

	/**
	 * Return an exporter that keeps nothing.
	 */
	static SpanExporter exporter() {
		InMemorySpanExporter exporter = InMemorySpanExporter.create();
		exporter.shutdown();
		return exporter;
	}

	private Map<String, Object> measure() throws Exception {
		this.figures.put("jobs", this.jobs);
		compare("push_cpu_us", (application) -> cpuMicros(() -> pushFromThreads(application, NOTHING)));
		compare("push_beside_empty_cpu_us", this::pushBesideEmptyCpuMicros);
		compare("bulk_push_cpu_us", (application) -> cpuMicros(() -> application.enqueueInBulk(0, this.jobs)));
		compare("run_cpu_us", this::runCpuMicros);
		compare("of_1_ms_per_s", this::tasksPerSecond);
		return this.figures;
	}

	private void compare(String figure, Turn turn) throws Exception {
		List<Double> without = new ArrayList<>();
		List<Double> with = new ArrayList<>();
		List<Double> differences = new ArrayList<>();
		for (int i = 0; i < WARM_UP + this.rounds; i++) {
			double one = turn.take(this.plain);
			this.plain.redis().clear(this.plain.prefix());
			double other = turn.take(this.traced);
			this.traced.redis().clear(this.traced.prefix());
			if (i >= WARM_UP) {
				without.add(one);
				with.add(other);
				differences.add(other - one);
			}
		}
		this.figures.put(figure + "_plain", median(without));
		this.figures.put(figure + "_traced", median(with));
		this.figures.put(figure + "_difference", median(differences));
	}

	private static double median(List<Double> values) {
		return Math.round(values.stream().sorted().skip(values.size() / 2).findFirst().orElse(0.0) * 100) / 100.0;
	}

	/**
	 * Push jobs one by one, from several threads, so that the processors do not fall
	 * asleep between two pushes.
	 * @param before runs before each push
	 */
	private void pushFromThreads(Running application, Runnable before) throws InterruptedException {
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			int from = this.jobs / THREADS * i;
			threads.add(new Thread(() -> {
				for (int number = from; number < from + this.jobs / THREADS; number++) {
					before.run();
					application.enqueue(Argument.of(number, 0));
				}
			}));
		}
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
	}

	/**
	 * Push jobs, and let the application that does not observe jobs make an empty
	 * observation before each push. Between two pushes, any observation costs more than
	 * in a loop of its own, because the processor runs other code in the meantime.
	 */
	private double pushBesideEmptyCpuMicros(Running application) throws Exception {
		ObservationRegistry registry = application.context().getBean(ObservationRegistry.class);
		Runnable empty = () -> Observation.createNotStarted("empty", registry).observe(NOTHING);
		return cpuMicros(() -> pushFromThreads(application, (application == this.plain) ? empty : NOTHING));
	}

	private double runCpuMicros(Running application) throws Exception {
		application.enqueueInBulk(0, this.jobs);
		return cpuMicros(() -> drain(application));
	}

	private double tasksPerSecond(Running application) throws Exception {
		application.enqueueTasks(0, this.jobs, (number) -> JobRequest.of(new BenchmarkJobs.Task(0, 1, 0)));
		long start = System.nanoTime();
		drain(application);
		return this.jobs * 1e9 / (System.nanoTime() - start);
	}

	private static void drain(Running application) throws InterruptedException {
		application.startWorkers();
		application.awaitEmpty();
		application.workers().stop();
	}

	/**
	 * Return the processor time that this process uses for a job, in microseconds and
	 * including garbage collection.
	 */
	private double cpuMicros(Work work) throws Exception {
		OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		long before = system.getProcessCpuTime();
		work.run();
		return (system.getProcessCpuTime() - before) / 1e3 / this.jobs;
	}

	/**
	 * Work that is measured.
	 */
	private interface Work {

		void run() throws Exception;

	}

	/**
	 * Measures one figure with an application.
	 */
	private interface Turn {

		double take(Running application) throws Exception;

	}

}

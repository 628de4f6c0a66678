package io.github.steadyjobs.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.benchmarks.BenchmarkApplication.Running;
import io.github.steadyjobs.benchmarks.BenchmarkJobs.Argument;
import io.github.steadyjobs.benchmarks.RedisFigures.ScriptCalls;

/**
 * Compares how fast applications with different settings drain queues. The applications
 * take turns, so that other load on the machine affects all of them.
 */
final class Drains implements AutoCloseable {

	private final Map<String, Running> applications = new LinkedHashMap<>();

	private final Map<String, List<Turn>> turns = new LinkedHashMap<>();

	private final List<String> queues;

	private final int jobs;

	/**
	 * Create a comparison.
	 * @param queues the queues that each application drains
	 * @param jobs number of jobs in each queue
	 */
	Drains(List<String> queues, int jobs) {
		this.queues = queues;
		this.jobs = jobs;
	}

	/**
	 * Add an application with settings of its own.
	 * @param name begins the names of its figures
	 */
	void add(String name, TargetRedis redis, Map<String, ?> properties) {
		this.applications.put(name, BenchmarkApplication.start(redis.url(), "bench-" + UUID.randomUUID(), properties));
	}

	/**
	 * Let the applications take turns. An additional first round only warms up the code.
	 * @return the medians
	 */
	Map<String, Object> measure(int rounds) throws InterruptedException {
		for (int round = 0; round <= rounds; round++) {
			for (Map.Entry<String, Running> application : this.applications.entrySet()) {
				Turn turn = drain(application.getValue());
				if (round > 0) {
					this.turns.computeIfAbsent(application.getKey(), (name) -> new ArrayList<>()).add(turn);
				}
			}
		}
		Map<String, Object> figures = new LinkedHashMap<>();
		figures.put("jobs", this.jobs);
		figures.put("queues", this.queues.size());
		this.turns.forEach((name, taken) -> {
			figures.put(name + "_s", median(taken.stream().map(Turn::seconds).toList()));
			figures.put(name + "_redis_us_per_job", median(taken.stream().map(Turn::redisMicros).toList()));
			figures.put(name + "_calls_per_job", median(taken.stream().map(Turn::calls).toList()));
		});
		return figures;
	}

	private Turn drain(Running application) throws InterruptedException {
		int all = this.jobs * this.queues.size();
		application.runs().expect(all);
		application.enqueueTasks(0, all,
				(i) -> JobRequest.of(Argument.of(i, 0)).queue(this.queues.get(i % this.queues.size())));
		ScriptCalls before = application.redis().scriptCalls();
		application.startWorkers();
		application.runs().await();
		// Includes the settlements of the last jobs.
		application.workers().stop();
		ScriptCalls calls = application.redis().scriptCalls().since(before);
		application.redis().clear(application.prefix());
		Runs runs = application.runs();
		return new Turn((runs.lastMicros() - runs.firstMicros()) / 1e6, calls.micros() / (double) all,
				calls.calls() / (double) all);
	}

	private static double median(List<Double> values) {
		return Math.round(values.stream().sorted().toList().get(values.size() / 2) * 1000) / 1000.0;
	}

	@Override
	public void close() {
		this.applications.values().forEach((application) -> {
			application.workers().stop();
			application.redis().clear(application.prefix());
			application.close();
		});
	}

	/**
	 * One drain of the queues.
	 *
	 * @param seconds from the first run to the last
	 * @param redisMicros microseconds that Redis spent on scripts, per job
	 * @param calls number of script calls per job
	 */
	private record Turn(double seconds, double redisMicros, double calls) {

	}

}

package io.github.steadyjobs.observation;

import io.github.steadyjobs.WorkerEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts what goes wrong around jobs, by {@code queue}: {@code jobs.recovered} with
 * {@code result} {@code returned} or {@code dead}, the jobs of dead processes that this
 * one has taken out of their queues; {@code jobs.fenced}, how often this process was
 * taken for dead; {@code jobs.refused}, ends of runs that no longer counted;
 * {@code jobs.data.lost}, losses of data in Redis that this process noticed; and, with
 * the tag {@code job} as well, {@code jobs.slow} and {@code jobs.stuck}, reports of runs
 * that took or take longer than they should. Thread safe.
 */
public final class ReliabilityMetrics {

	private final MeterRegistry registry;

	public ReliabilityMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	public void count(WorkerEvent event) {
		if (event instanceof WorkerEvent.Recovered recovered) {
			recovered(recovered.queue(), "returned").increment(recovered.returned());
			recovered(recovered.queue(), "dead").increment(recovered.dead());
		}
		else if (event instanceof WorkerEvent.Fenced fenced) {
			counter("jobs.fenced", "Times that this process was taken for dead", fenced.queue()).increment();
		}
		else if (event instanceof WorkerEvent.Refused refused) {
			counter("jobs.refused", "Ends of runs that no longer counted", refused.queue()).increment();
		}
		else if (event instanceof WorkerEvent.DataLost lost) {
			counter("jobs.data.lost", "Losses of data in Redis", lost.queue()).increment();
		}
		else if (event instanceof WorkerEvent.SlowRun slow) {
			counter("jobs.slow", "Runs that took longer than they should", slow.queue(), slow.job()).increment();
		}
		else if (event instanceof WorkerEvent.StuckRun stuck) {
			counter("jobs.stuck", "Reports of runs that may be stuck", stuck.queue(), stuck.job()).increment();
		}
	}

	private Counter recovered(String queue, String result) {
		return Counter.builder("jobs.recovered")
			.description("Jobs of dead processes")
			.tag("queue", queue)
			.tag("result", result)
			.register(this.registry);
	}

	private Counter counter(String name, String description, String queue) {
		return Counter.builder(name).description(description).tag("queue", queue).register(this.registry);
	}

	private Counter counter(String name, String description, String queue, String job) {
		return Counter.builder(name)
			.description(description)
			.tag("queue", queue)
			.tag("job", job)
			.register(this.registry);
	}

}

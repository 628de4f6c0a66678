package io.github.steadyjobs.observation;

import io.github.steadyjobs.WorkerEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts failures that affect jobs, with the tag {@code queue}. {@code jobs.recovered},
 * with the {@code result} {@code returned} or {@code dead}, counts the jobs that this
 * process has recovered from dead processes. {@code jobs.fenced} counts how many times
 * this process was presumed dead, {@code jobs.refused} the results that were refused
 * because their run no longer counted, and {@code jobs.data.lost} the losses of data in
 * Redis that this process noticed. {@code jobs.slow} and {@code jobs.stuck}, which also
 * have the tag {@code job}, count reports of runs that took or are taking longer than
 * they should. Thread safe.
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
			counter("jobs.fenced", "Times that this process was presumed dead", fenced.queue()).increment();
		}
		else if (event instanceof WorkerEvent.Refused refused) {
			counter("jobs.refused", "Results of runs that no longer counted", refused.queue()).increment();
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

package io.github.steadyjobs.observation;

import io.github.steadyjobs.WorkerEvent;
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
public final class ReliabilityMetrics implements WorkerEvent.Listener {

	private final MeterRegistry registry;

	public ReliabilityMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void told(WorkerEvent event) {
		if (event instanceof WorkerEvent.Recovered recovered) {
			JobMeter.RECOVERED.counter(this.registry, recovered.queue(), "returned").increment(recovered.returned());
			JobMeter.RECOVERED.counter(this.registry, recovered.queue(), "dead").increment(recovered.dead());
		}
		else if (event instanceof WorkerEvent.Fenced fenced) {
			JobMeter.FENCED.counter(this.registry, fenced.queue()).increment();
		}
		else if (event instanceof WorkerEvent.Refused refused) {
			JobMeter.REFUSED.counter(this.registry, refused.queue()).increment();
		}
		else if (event instanceof WorkerEvent.DataLost lost) {
			JobMeter.DATA_LOST.counter(this.registry, lost.queue()).increment();
		}
		else if (event instanceof WorkerEvent.SlowRun slow) {
			JobMeter.SLOW.counter(this.registry, slow.queue(), slow.job()).increment();
		}
		else if (event instanceof WorkerEvent.StuckRun stuck) {
			JobMeter.STUCK.counter(this.registry, stuck.queue(), stuck.job()).increment();
		}
	}

}

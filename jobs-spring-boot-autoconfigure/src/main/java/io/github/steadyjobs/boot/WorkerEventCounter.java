package io.github.steadyjobs.boot;

import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.observation.ReliabilityMetrics;

import org.springframework.context.event.EventListener;

/**
 * Passes worker events on to the meters.
 */
final class WorkerEventCounter {

	private final ReliabilityMetrics metrics;

	WorkerEventCounter(ReliabilityMetrics metrics) {
		this.metrics = metrics;
	}

	@EventListener
	void count(WorkerEvent event) {
		this.metrics.count(event);
	}

}

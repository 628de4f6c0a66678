package io.github.steadyjobs.benchmarks.chaos;

import io.github.steadyjobs.WorkerEvent;

import org.springframework.context.event.EventListener;

/**
 * Records events of a worker, because its meters disappear with the process.
 */
final class WorkerNotes {

	private final EffectLog log;

	WorkerNotes(EffectLog log) {
		this.log = log;
	}

	@EventListener
	void started(WorkerEvent.Started event) {
		this.log.started();
	}

	@EventListener
	void refused(WorkerEvent.Refused event) {
		this.log.refused(event.jobId());
	}

}

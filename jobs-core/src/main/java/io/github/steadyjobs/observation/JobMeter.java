package io.github.steadyjobs.observation;

import io.micrometer.core.instrument.Meter;
import org.jspecify.annotations.Nullable;

/**
 * The meters of jobs, queues and workers.
 */
public enum JobMeter implements DocumentedMeter {

	/** Timed by {@link JobRunMetrics}. */
	RUN("jobs.run", Meter.Type.TIMER, "Runs of jobs", "job", "queue", "outcome"),

	/** Timed by {@link JobRunMetrics}. */
	WAIT("jobs.wait", Meter.Type.TIMER, "Time that jobs were ready before they ran", "queue"),

	/** Counted by {@link EnqueueMetrics}. */
	ENQUEUE("jobs.enqueue", Meter.Type.COUNTER, "Requests to enqueue jobs", "job", "queue", "result"),

	/** Registered by {@link EnqueueMetrics#waiting}. */
	ENQUEUE_WAITING("jobs.enqueue.waiting", Meter.Type.GAUGE, "Jobs that wait in memory until Redis accepts them"),

	/** Counted by {@link EnqueueMetrics}. */
	DEDUPLICATION("jobs.deduplication", Meter.Type.COUNTER,
			"Jobs that were dropped as duplicates, or stored although an equal job existed", "job", "queue", "event"),

	/** Measured by {@link WorkerMetrics}. */
	WORKERS_BUSY("jobs.workers.busy", Meter.Type.GAUGE, "Workers that run a job", "capsule"),

	/** Measured by {@link WorkerMetrics}. */
	WORKERS_MAX("jobs.workers.max", Meter.Type.GAUGE, "Maximum number of workers", "capsule"),

	/** Measured by {@link QueueMetrics}. */
	PROCESSES("jobs.processes", Meter.Type.GAUGE, "Living processes that run jobs"),

	/** Measured by {@link QueueMetrics}. */
	QUEUE_SIZE("jobs.queue.size", Meter.Type.GAUGE, "Jobs that wait for a worker", "queue"),

	/** Measured by {@link QueueMetrics}. */
	QUEUE_LATENCY("jobs.queue.latency", Meter.Type.GAUGE, "Time that the oldest waiting job has waited", "queue") {

		@Override
		public @Nullable String getBaseUnit() {
			return "seconds";
		}

	},

	/** Measured by {@link QueueMetrics}. */
	QUEUE_RUNNING("jobs.queue.running", Meter.Type.GAUGE, "Jobs that are running", "queue"),

	/** Measured by {@link QueueMetrics}. */
	QUEUE_SCHEDULED("jobs.queue.scheduled", Meter.Type.GAUGE, "Jobs that are due later", "queue"),

	/** Measured by {@link QueueMetrics}. */
	QUEUE_RETRIES("jobs.queue.retries", Meter.Type.GAUGE, "Failed jobs that wait for a retry", "queue"),

	/** Measured by {@link QueueMetrics}. */
	QUEUE_PARKED("jobs.queue.parked", Meter.Type.GAUGE,
			"Jobs that wait for a process that can run them, or for the end of a pause", "queue"),

	/** Measured by {@link QueueMetrics}. */
	QUEUE_DEAD("jobs.queue.dead", Meter.Type.GAUGE, "Jobs that will not run again unless they are revived", "queue"),

	/** Measured by {@link QueueMetrics}. */
	QUEUE_PAUSED("jobs.queue.paused", Meter.Type.GAUGE, "1 if the queue is paused, otherwise 0", "queue"),

	/** Counted by {@link ReliabilityMetrics}. */
	RECOVERED("jobs.recovered", Meter.Type.COUNTER, "Jobs of dead processes", "queue", "result"),

	/** Counted by {@link ReliabilityMetrics}. */
	SLOW("jobs.slow", Meter.Type.COUNTER, "Runs that took longer than they should", "queue", "job"),

	/** Counted by {@link ReliabilityMetrics}. */
	STUCK("jobs.stuck", Meter.Type.COUNTER, "Reports of runs that may be stuck", "queue", "job"),

	/** Counted by {@link ReliabilityMetrics}. */
	FENCED("jobs.fenced", Meter.Type.COUNTER, "Times that this process was presumed dead", "queue"),

	/** Counted by {@link ReliabilityMetrics}. */
	REFUSED("jobs.refused", Meter.Type.COUNTER, "Results of runs that no longer counted", "queue"),

	/** Counted by {@link ReliabilityMetrics}. */
	DATA_LOST("jobs.data.lost", Meter.Type.COUNTER, "Losses of data in Redis", "queue");

	private final Details details;

	JobMeter(String name, Meter.Type type, String description, String... tagNames) {
		this.details = new Details(name, type, description, tagNames);
	}

	@Override
	public Details details() {
		return this.details;
	}

}

package io.github.steadyjobs.observation;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.pause.Pauses;
import io.github.steadyjobs.redis.ProcessStore;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.QueueRef;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures how full the queues are and whether they are paused: {@code jobs.queue.*} with
 * the tag {@code queue}. Also counts the living processes: {@code jobs.processes}. The
 * gauges of a queue are removed when Redis no longer lists the queue. All gauges read one
 * sample, which is at most five seconds old and takes five round trips, however many
 * gauges there are. Gauges have no value while Redis, or the cluster node that serves the
 * queue, is unavailable. Thread safe.
 */
public final class QueueMetrics implements MeterBinder {

	private static final Logger logger = LoggerFactory.getLogger(QueueMetrics.class);

	private static final Duration MAX_AGE = Duration.ofSeconds(5);

	private final QueueMonitor monitor;

	private final ProcessStore processStore;

	private final PauseStore pauseStore;

	private final Supplier<Set<String>> ownQueues;

	private final long maxAge;

	private final Map<String, List<Meter>> bound = new ConcurrentHashMap<>();

	private Map<String, QueueMonitor.Sample> sample = Map.of();

	private volatile Pauses pauses = Pauses.NONE;

	private double processes = Double.NaN;

	private long sampled;

	/**
	 * Create the metrics.
	 * @param monitor measures the queues
	 * @param processes provides the processes that run jobs
	 * @param pauses provides the queues that are paused
	 * @param ownQueues provides the names of the queues that have gauges from the start;
	 * other queues get gauges after jobs have been pushed to them
	 */
	public QueueMetrics(QueueMonitor monitor, ProcessStore processes, PauseStore pauses,
			Supplier<Set<String>> ownQueues) {
		this(monitor, processes, pauses, ownQueues, MAX_AGE);
	}

	QueueMetrics(QueueMonitor monitor, ProcessStore processes, PauseStore pauses, Supplier<Set<String>> ownQueues,
			Duration maxAge) {
		this.monitor = monitor;
		this.processStore = processes;
		this.pauseStore = pauses;
		this.ownQueues = ownQueues;
		this.maxAge = maxAge.toNanos();
		this.sampled = System.nanoTime() - this.maxAge;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		JobMeter.PROCESSES.gauge(registry, () -> processes(registry));
		this.ownQueues.get().forEach((queue) -> bind(registry, queue));
	}

	private void bind(MeterRegistry registry, String queue) {
		this.bound.computeIfAbsent(queue, (name) -> gauges(registry, name));
	}

	private List<Meter> gauges(MeterRegistry registry, String queue) {
		return List.of(gauge(registry, JobMeter.QUEUE_SIZE, queue, QueueMonitor.Sample::ready),
				gauge(registry, JobMeter.QUEUE_RUNNING, queue, QueueMonitor.Sample::working),
				gauge(registry, JobMeter.QUEUE_SCHEDULED, queue, QueueMonitor.Sample::scheduled),
				gauge(registry, JobMeter.QUEUE_RETRIES, queue, QueueMonitor.Sample::retries),
				gauge(registry, JobMeter.QUEUE_PARKED, queue, QueueMonitor.Sample::parked),
				gauge(registry, JobMeter.QUEUE_DEAD, queue, QueueMonitor.Sample::dead),
				gauge(registry, JobMeter.QUEUE_PAUSED, queue, (sample) -> this.pauses.isPaused(queue) ? 1 : 0),
				latency(registry, queue));
	}

	private Meter gauge(MeterRegistry registry, JobMeter meter, String queue,
			ToDoubleFunction<QueueMonitor.Sample> value) {
		return meter.gauge(registry, () -> value(registry, queue, value), queue);
	}

	private Meter latency(MeterRegistry registry, String queue) {
		JobMeter meter = JobMeter.QUEUE_LATENCY;
		return TimeGauge
			.builder(meter.getName(), () -> value(registry, queue, (sample) -> sample.latency().toMillis()),
					TimeUnit.MILLISECONDS)
			.description(meter.description())
			.tags(meter.tags(queue))
			.register(registry);
	}

	private synchronized double processes(MeterRegistry registry) {
		current(registry);
		return this.processes;
	}

	private double value(MeterRegistry registry, String queue, ToDoubleFunction<QueueMonitor.Sample> value) {
		QueueMonitor.Sample found = current(registry).get(queue);
		return (found != null) ? value.applyAsDouble(found) : Double.NaN;
	}

	private synchronized Map<String, QueueMonitor.Sample> current(MeterRegistry registry) {
		if (System.nanoTime() - this.sampled >= this.maxAge) {
			this.sample = measure();
			this.processes = countProcesses();
			this.sampled = System.nanoTime();
			this.sample.keySet().forEach((queue) -> bind(registry, queue));
			removeForgotten(registry);
		}
		return this.sample;
	}

	/** Remove the gauges of forgotten queues, but not of queues that did not answer. */
	private void removeForgotten(MeterRegistry registry) {
		Set<String> missing = new HashSet<>(this.bound.keySet());
		missing.removeAll(this.sample.keySet());
		if (!missing.isEmpty() && !this.sample.isEmpty()) {
			try {
				this.monitor.queues().forEach((name) -> missing.remove(QueueRef.queueOf(name)));
			}
			catch (JobStoreException ex) {
				logger.debug("Whether queues are forgotten is not known", ex);
				return;
			}
			missing.removeAll(this.ownQueues.get());
			missing.forEach((queue) -> this.bound.getOrDefault(queue, List.of()).forEach(registry::remove));
			this.bound.keySet().removeAll(missing);
		}
	}

	private Map<String, QueueMonitor.Sample> measure() {
		try {
			this.pauses = this.pauseStore.read();
			return this.monitor.totals(this.ownQueues.get());
		}
		catch (JobStoreException ex) {
			logger.debug("Queues could not be measured", ex);
			return Map.of();
		}
	}

	private double countProcesses() {
		try {
			List<String> names = this.processStore.names();
			return names.size() - this.processStore.silent(names).size();
		}
		catch (JobStoreException ex) {
			logger.debug("Processes could not be counted", ex);
			return Double.NaN;
		}
	}

}

package io.github.steadyjobs.observation;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.steadyjobs.EnqueueListener;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobStoreException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * Counts requests to enqueue jobs. Each request is counted once, when its result is
 * known, as {@code jobs.enqueue} with the tags {@code job}, {@code queue} and
 * {@code result}, which is {@code enqueued}, {@code scheduled}, {@code merged},
 * {@code duplicate}, {@code stopped}, {@code failed} or, if the job had already been
 * reported to its caller as accepted, {@code lost}. A request inside a transaction is
 * counted after the commit, and not at all after a rollback. If one request of a bulk
 * push is invalid, the requests before it count as failed too, because nothing is sent.
 * <p>
 * Also counts how deduplication treats equal jobs, as {@code jobs.deduplication} with the
 * tags {@code job}, {@code queue} and {@code event}, which is {@code dropped},
 * {@code runs_once_more}, or a kind of {@linkplain EnqueueListener.Overlap overlap} in
 * lower case. Thread safe.
 */
public final class EnqueueMetrics implements EnqueueListener {

	private final MeterRegistry registry;

	private final Map<MeterKey, Counter> counters = new ConcurrentHashMap<>();

	public EnqueueMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void accepted(Requested job, EnqueueResult result, Overlap overlap) {
		boolean isScheduled = result instanceof EnqueueResult.Scheduled;
		countResult(job, isScheduled ? "scheduled" : (result instanceof EnqueueResult.Merged) ? "merged" : "enqueued");
		if (overlap != Overlap.NONE) {
			countEvent(job, overlap.name().toLowerCase(Locale.ROOT));
		}
	}

	@Override
	public void duplicate(Requested job, EnqueueResult.Duplicate result) {
		countResult(job, "duplicate");
		countEvent(job, result.runsOnceMore() ? "runs_once_more" : "dropped");
	}

	@Override
	public void refused(Requested job, @Nullable Throwable reason) {
		countResult(job, (reason != null) ? "failed" : "stopped");
	}

	@Override
	public void lost(Requested job, JobPayload payload, JobStoreException reason) {
		countResult(job, "lost");
	}

	/**
	 * Measure how many jobs wait in memory until Redis accepts them:
	 * {@code jobs.enqueue.waiting}.
	 * @param client provides the number
	 * @return a binder that registers the gauge
	 */
	public static MeterBinder waiting(JobClient client) {
		return (registry) -> JobMeter.ENQUEUE_WAITING.gauge(registry, client::waiting);
	}

	private void countResult(Requested job, String result) {
		count(JobMeter.ENQUEUE, job, result);
	}

	private void countEvent(Requested job, String event) {
		count(JobMeter.DEDUPLICATION, job, event);
	}

	private void count(JobMeter meter, Requested job, String value) {
		MeterKey key = new MeterKey(meter, job.name(), job.queue(), value);
		Counter counter = this.counters.get(key);
		if (counter == null) {
			counter = this.counters.computeIfAbsent(key,
					(absent) -> meter.counter(this.registry, job.name(), job.queue(), value));
		}
		counter.increment();
	}

}

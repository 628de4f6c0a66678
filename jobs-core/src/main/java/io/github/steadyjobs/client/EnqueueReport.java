package io.github.steadyjobs.client;

import java.util.List;

import io.github.steadyjobs.DeduplicationListener;
import io.github.steadyjobs.DeduplicationListener.Event;
import io.github.steadyjobs.DeduplicationListener.Kind;
import io.github.steadyjobs.redis.Admission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts how requests end, and tells the log and the listeners of equal jobs. Thread
 * safe.
 */
final class EnqueueReport {

	private static final Logger logger = LoggerFactory.getLogger(EnqueueReport.class);

	private final EnqueueCounter counter;

	private final List<DeduplicationListener> listeners;

	EnqueueReport(EnqueueCounter counter, List<DeduplicationListener> listeners) {
		this.counter = counter;
		this.listeners = List.copyOf(listeners);
	}

	void answered(PreparedJob job, Admission admission) {
		String stored = (job.due() != null) ? "scheduled" : "enqueued";
		count(job.name(), job.queue(), admission.isStored() ? stored : "duplicate");
		tell(job, admission);
	}

	void failed(PreparedJob job) {
		count(job.name(), job.queue(), "failed");
	}

	/**
	 * Count a request that has not become a job.
	 * @param stopped whether an interceptor stopped it, or it failed
	 */
	void ended(ResolvedRequest request, boolean stopped) {
		count(request.name(), request.queue(), stopped ? "stopped" : "failed");
	}

	private void count(String job, String queue, String result) {
		try {
			this.counter.count(job, queue, result);
		}
		catch (RuntimeException ex) {
			logger.warn("Counter {} failed", this.counter.getClass().getName(), ex);
		}
	}

	private void tell(PreparedJob job, Admission admission) {
		String id = job.job().id();
		switch (admission.kind()) {
			case STORED -> {
				// As almost all are.
			}
			case DUPLICATE -> {
				logger.debug("Job {}[{}] was dropped as a duplicate of {}", job.name(), id, admission.holder());
				tell(Kind.DROPPED, job.name(), job.queue(), id);
			}
			case RUNS_ONCE_MORE -> {
				logger.debug("Job {}[{}] was dropped as a duplicate of {}, which runs, and runs after it", job.name(),
						id, admission.holder());
				tell(Kind.RUNS_ONCE_MORE, job.name(), job.queue(), id);
			}
			case STORED_FOR_LOST -> {
				logger.warn("Job {}[{}] of queue {} took over the lock of an equal job that is gone without having "
						+ "ended", job.name(), id, job.queue());
				tell(Kind.TAKEN_OVER, job.name(), job.queue(), id);
			}
			case STORED_AFTER_EXPIRY -> {
				logger.warn(
						"Job {}[{}] of queue {} is stored although an equal job has not ended yet, as the time has "
								+ "passed for which that keeps others out. A longer 'ttl' of @Idempotent prevents that",
						job.name(), id, job.queue());
				tell(Kind.EXPIRED, job.name(), job.queue(), id);
			}
		}
	}

	void tell(Kind kind, String job, String queue, String id) {
		if (this.listeners.isEmpty()) {
			return;
		}
		Event event = new Event(kind, job, queue, id);
		for (DeduplicationListener listener : this.listeners) {
			try {
				listener.deduplicated(event);
			}
			catch (RuntimeException ex) {
				logger.warn("Listener {} failed", listener.getClass().getName(), ex);
			}
		}
	}

}

package io.github.steadyjobs.server;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobOutcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies listeners of starts and ends of runs, on the thread that runs the job. Thread
 * safe.
 */
final class RunListeners {

	private static final Logger logger = LoggerFactory.getLogger(RunListeners.class);

	private final JobListener[] listeners;

	RunListeners(List<JobListener> listeners) {
		this.listeners = listeners.toArray(JobListener[]::new);
	}

	/**
	 * Return how long the job was ready before its run. The time until the claim is
	 * measured by the clocks of the producer and of Redis, and the time after the answer
	 * to the claim by the clock of this process.
	 */
	private static Duration waited(UnitOfWork job) {
		Instant due = job.payload().at();
		long ready = (due != null) ? due.toEpochMilli() : job.payload().enqueuedAt().toEpochMilli();
		long claimed = job.claimedAt();
		// The payload may lack the time at which the job was enqueued.
		long waited = (ready > 0) ? Math.max(0, claimed - ready) : 0;
		return Duration.ofMillis(waited).plusNanos(System.nanoTime() - job.arrivedAt());
	}

	void started(UnitOfWork job) {
		if (this.listeners.length > 0) {
			Duration waited = waited(job);
			tell((listener) -> listener.started(job, waited));
		}
	}

	void ended(UnitOfWork job, JobOutcome outcome, Duration ran) {
		tell((listener) -> listener.ended(job, outcome, ran));
	}

	/**
	 * Notify all listeners. Errors are caught too; otherwise the job would not be settled
	 * and would stay with this process.
	 */
	private void tell(Consumer<JobListener> news) {
		for (JobListener listener : this.listeners) {
			try {
				news.accept(listener);
			}
			catch (Throwable ex) {
				logger.warn("Listener {} failed", listener.getClass().getName(), ex);
			}
		}
	}

}

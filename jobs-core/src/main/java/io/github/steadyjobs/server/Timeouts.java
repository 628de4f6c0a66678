package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.JobTimeoutException;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.ordered.Form;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interrupts calls of job methods that exceed their timeout. Thread safe.
 */
final class Timeouts {

	/**
	 * How long after an interrupt a call that continues is logged; less if its timeout is
	 * shorter.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private static final Logger logger = LoggerFactory.getLogger(Timeouts.class);

	private final ScheduledExecutorService timer;

	/**
	 * Create timeouts.
	 * @param timer a timer that is never blocked, and that removes cancelled tasks
	 */
	Timeouts(ScheduledExecutorService timer) {
		this.timer = timer;
	}

	/** Return a call to the job's method, limited by the job's timeout. */
	Form.Method limit(UnitOfWork job, JobDefinition definition) {
		Duration timeout = job.payload().limits().or(definition.retry().limits()).timeout();
		return (timeout == null) ? definition::call : (values) -> call(job, timeout, definition, values);
	}

	private void call(UnitOfWork job, Duration timeout, JobDefinition definition, @Nullable Object[] values)
			throws Exception {
		Watch watch = new Watch(job, timeout);
		watch.start();
		try {
			definition.call(values);
		}
		catch (Throwable ex) {
			if (watch.end()) {
				throw exceeded(job, timeout, ex);
			}
			throw ex;
		}
		if (watch.end()) {
			throw exceeded(job, timeout, null);
		}
	}

	private static JobTimeoutException exceeded(UnitOfWork job, Duration timeout, @Nullable Throwable cause) {
		return new JobTimeoutException(
				"Job %s took longer than its timeout of %s, and was interrupted".formatted(job, timeout), timeout,
				cause);
	}

	/**
	 * Watches one call. The call is interrupted either before it ends or not at all, so
	 * the interrupt cannot affect what the thread does next.
	 */
	private final class Watch {

		private final UnitOfWork job;

		private final Duration timeout;

		private final Thread runner = Thread.currentThread();

		private @Nullable ScheduledFuture<?> next;

		private boolean interrupted;

		private boolean ended;

		Watch(UnitOfWork job, Duration timeout) {
			this.job = job;
			this.timeout = timeout;
		}

		synchronized void start() {
			schedule(this.timeout, this::interrupt);
		}

		private synchronized void interrupt() {
			if (!this.ended) {
				this.interrupted = true;
				this.runner.interrupt();
				schedule((this.timeout.compareTo(PATIENCE) < 0) ? this.timeout : PATIENCE, this::report);
			}
		}

		private synchronized void report() {
			if (!this.ended) {
				Throwable place = new Throwable("Where it is");
				place.setStackTrace(this.runner.getStackTrace());
				logger.warn("Job {} goes on although it was interrupted after its timeout of {}", this.job,
						this.timeout, place);
			}
		}

		private void schedule(Duration delay, Runnable task) {
			this.next = Timeouts.this.timer.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
		}

		/**
		 * Record that the call has returned.
		 * @return whether the call was interrupted before it returned
		 */
		synchronized boolean end() {
			this.ended = true;
			if (this.next != null) {
				this.next.cancel(false);
			}
			if (this.interrupted) {
				Thread.interrupted();
			}
			return this.interrupted;
		}

	}

}

package io.github.steadyjobs;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Is notified of job runs and failures, for metrics, reports and alerts. Listeners are
 * beans, called in {@link org.springframework.core.Ordered} order, and must be thread
 * safe. An exception thrown by a listener is logged and does not affect the job. The
 * other listeners are still called.
 * <p>
 * {@link #started} and {@link #ended} are called on the thread that runs the job, before
 * Redis is updated, and must be quick. If several jobs run together in one call, both
 * methods are called once, with the first of these jobs.
 * <p>
 * {@link #failed} and {@link #died} are called after Redis has recorded the failure. By
 * then, the job is in the retry set or the dead set, or is gone. Each call is made at
 * least once while the process lives. If the process dies between the answer from Redis
 * and the call, the call is lost, but the job is not. A failure is not reported if it
 * does not count, because another claim already holds the job or because the job was
 * cancelled. Both methods are called on threads that only call listeners and
 * {@link RetriesExhausted} methods. Until they return, the failed job counts as
 * unsettled, so a listener that hangs eventually blocks workers.
 */
public interface JobListener {

	/**
	 * A job is about to run. Also called for a job that does not run after all, because
	 * it is put off or has {@linkplain JobOutcome#EXPIRED expired}.
	 * @param waited how long the job was ready before it began, including its wait for a
	 * worker in this process; never negative, and accurate only if the clocks of the
	 * producer and Redis agree
	 */
	default void started(JobContext job, Duration waited) {
	}

	/**
	 * A run has ended, but Redis has not been updated yet.
	 * @param outcome how the run ended
	 * @param ran how long the run took
	 */
	default void ended(JobContext job, JobOutcome outcome, Duration ran) {
	}

	/**
	 * A run has failed, whether or not the job will be retried, or the worker itself has
	 * failed unexpectedly, outside any job. Both kinds of failure are also logged.
	 * @param job the job with this failure recorded in it; {@code null} if no job failed,
	 * or if the payload of the failed job cannot be read
	 * @param failure the exception, never wrapped by this library
	 * @throws Exception any exception; it is logged
	 */
	default void failed(@Nullable JobPayload job, Throwable failure) throws Exception {
	}

	/**
	 * A job will not run again although it never succeeded: it has failed for the last
	 * time, or too many processes have died while running it. For a job that runs at most
	 * once, a single such death is too many. Also called if the job is not kept because
	 * {@link Job#dead()} is {@code false}. Called after {@link #failed} has been called
	 * on all listeners, and after the job's own {@link RetriesExhausted} method. Neither
	 * of these is called if the process that ran the job ended during the run.
	 * @param job the job as it is stored in the dead set, or would be if it were kept
	 * @param reason the last exception of the job, never wrapped by this library, or a
	 * {@link RunCutShortException} that says how the process that ran the job ended
	 * @throws Exception any exception; it is logged
	 */
	default void died(JobPayload job, Throwable reason) throws Exception {
	}

}

package io.github.steadyjobs;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Is notified of runs of jobs and of failures, for figures, reports and alarms. Listeners
 * are beans, called in {@link org.springframework.core.Ordered} order, and must be thread
 * safe. An exception of a listener is logged, changes nothing for the job, and does not
 * prevent the call of other listeners.
 * <p>
 * {@link #started} and {@link #ended} are called on the thread that runs the job, before
 * Redis knows, and must be quick.
 * <p>
 * {@link #failed} and {@link #died} are called once Redis has taken the failure, so the
 * job is where it belongs by then: in the retry set, the dead set, or gone. They are
 * called at least once for as long as the process lives. A process that dies between the
 * answer of Redis and the call loses the call, not the job. A failure that does not
 * count, because another claim holds the job by then or the job was cancelled, is not
 * reported. Both are called on threads of the worker's own. Until they return, the failed
 * job counts as unsettled, so a listener that hangs ends up holding workers.
 */
public interface JobListener {

	/**
	 * A job is about to run, or would be if it were not put off or
	 * {@linkplain JobOutcome#EXPIRED expired}.
	 * @param waited how long it was ready before it began, including its wait for a
	 * worker in this process; as exact as the clocks of producer and Redis agree; never
	 * negative
	 */
	default void started(JobContext job, Duration waited) {
	}

	/**
	 * A run has ended, and Redis does not know yet.
	 * @param outcome how it ended
	 * @param ran how long it ran
	 */
	default void ended(JobContext job, JobOutcome outcome, Duration ran) {
	}

	/**
	 * A run has failed, whatever that means for the job, or one of the worker's own
	 * threads has failed unexpectedly. Both are logged as well.
	 * @param job the job with this failure noted in it; {@code null} if no job failed, or
	 * one whose payload cannot be read
	 * @param failure the exception, never wrapped by this library
	 * @throws Exception anything, which is logged
	 */
	default void failed(@Nullable JobPayload job, Throwable failure) throws Exception {
	}

	/**
	 * A job will not run again although it never succeeded: it has no retries left, it
	 * threw {@link KillJobException}, or too many processes have died running it, a
	 * single one if it runs at most once. Called also if the job is not kept because of
	 * {@link Job#dead()}, after {@link #failed} of all listeners and the job's own
	 * {@link RetriesExhausted} method, which is not called if its process died.
	 * @param job the job as it is in the dead set, or would be
	 * @param reason the last exception of the job, never wrapped by this library, or a
	 * {@link RunCutShortException} that says how its process ended with it
	 * @throws Exception anything, which is logged
	 */
	default void died(JobPayload job, Throwable reason) throws Exception {
	}

}

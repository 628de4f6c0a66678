package io.github.steadyjobs.server;

import java.util.Set;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a job that a worker has claimed may begin. A job that it holds back is
 * parked under a reason, uses up no retry, and continues at the head of its queue when
 * the gate opens for that reason.
 * <p>
 * This is how capabilities of this library plug into a worker, and it may change with any
 * release: applications have {@link io.github.steadyjobs.ServerInterceptor}. All beans of
 * this type are asked, in their order. Has to be thread safe.
 */
public interface Gate {

	/**
	 * Decide about a job that this process can run. Called by the worker that has it, so
	 * it must not wait for anything.
	 * @param job the job
	 * @return {@code null} if it may begin, or the reason why it must not: the name of
	 * the gate, a colon, and what opens again as one
	 */
	@Nullable String holdsBack(JobContext job);

	/**
	 * Hear how it ended with a job that this gate let through. It need not have begun,
	 * because another gate may have held it back. Called by the worker.
	 * @param job the job
	 * @param outcome how it ended
	 */
	default void ended(JobContext job, JobOutcome outcome) {
	}

	/**
	 * Return the reasons of this gate that no longer hold. Jobs that are parked under one
	 * of them continue when a worker starts, when a heartbeat reports that some were
	 * parked, and when the gate says that it has {@link #onOpened opened}.
	 * @return reasons
	 */
	Set<String> open();

	/**
	 * Learn how to say that {@link #open()} has more reasons. Called before workers
	 * start.
	 * @param listener may be called by any thread, and returns at once
	 */
	void onOpened(Runnable listener);

}

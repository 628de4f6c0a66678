package io.github.steadyjobs.gate;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a job that a worker has claimed may begin. A job that it holds back is
 * parked under a reason, uses up no retry, and continues at the head of its queue when
 * the gate opens for that reason.
 * <p>
 * This is how capabilities of this library plug into a worker, and it may change with any
 * release: applications have {@link io.github.steadyjobs.ServerInterceptor}. There is a
 * gate of each {@link Maker} bean for each start of the workers. All of them are asked,
 * in the order of these beans. Has to be thread safe.
 */
public interface Gate {

	/**
	 * Decide about a job that this process can run. Called by the worker that has it, so
	 * it must not wait for anything.
	 * @param job the job
	 * @return {@code null} if it may begin, or why it must not
	 */
	@Nullable Hold holdsBack(Candidate job);

	/**
	 * Decide about what a run has thrown: whether that asks for something other than a
	 * retry. Called by the worker.
	 * @param job the job, or the first of those that ran together
	 * @return how long they are put off, without using up a retry; {@code null} if they
	 * have failed
	 */
	default @Nullable Duration putsOff(Candidate job, Throwable thrown) {
		return null;
	}

	/**
	 * Hear how a run has ended. Called by the worker.
	 * @param job the job, or the first of those that ran together
	 * @param failure what it has thrown, {@code null} if it has not failed
	 */
	default void ran(Candidate job, JobOutcome outcome, @Nullable Throwable failure) {
	}

	/**
	 * Hear how it ended with a job that this gate let through. It need not have begun,
	 * because another gate may have held it back. Called by the worker.
	 * @param job the job
	 * @param outcome how it ended
	 */
	default void ended(Candidate job, JobOutcome outcome) {
	}

	/**
	 * Return the reasons of this gate that no longer hold. Jobs that are parked under one
	 * of them continue when a worker starts, when a heartbeat reports that some were
	 * parked, and when the gate {@linkplain Worker#opened says} that it has opened.
	 * @return reasons
	 */
	default Set<String> open() {
		return Set.of();
	}

	/**
	 * Hear the answer to a heartbeat. Called by network threads, which must not wait.
	 * @param parked how many jobs of the queue are parked
	 * @param version the version of the rules that the queue obeys
	 */
	default void answered(String queue, long parked, long version) {
	}

	/**
	 * Hear the version of the rules that a queue obeyed when it gave out jobs. Called by
	 * network threads, which must not wait.
	 */
	default void heard(long version) {
	}

	/**
	 * Do what is due with each heartbeat. Called by one chore at a time, and may wait for
	 * answers.
	 */
	default void round() {
	}

	/**
	 * A job that may begin.
	 */
	interface Candidate extends JobContext {

		/** Return the Redis time of the claim, in milliseconds since the epoch. */
		long claimedAt();

	}

	/**
	 * Why a job must not begin.
	 *
	 * @param reason the name of the gate, a colon, and what opens again as one
	 * @param version the version of the rules that say so, 0 if these have none. A queue
	 * that obeys newer ones gives the job out again
	 */
	record Hold(String reason, long version) {

		/** A reason that has no version. */
		public Hold(String reason) {
			this(reason, 0);
		}

	}

	/**
	 * The workers of a process, from a start to the next stop. Methods return at once.
	 */
	interface Worker {

		/** Return the name of the process. */
		String process();

		/** Look for jobs in a queue at once. */
		void look(String queue);

		/** Look through the parked jobs of a queue soon, because some may continue. */
		void opened(String queue);

		/** Look through the parked jobs of all queues soon. */
		void opened();

		/** Return what runs tasks that wait for answers, one after another. */
		ScheduledExecutorService chores();

	}

	/**
	 * Makes a gate at each start of the workers. A bean.
	 */
	@FunctionalInterface
	interface Maker {

		Gate make(Worker worker);

	}

}

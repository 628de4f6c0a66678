package io.github.steadyjobs.gate;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a job that a worker has claimed may begin. A job that the gate holds
 * back is parked for a reason and uses up no retry. The job continues at the head of its
 * queue when the gate opens for that reason.
 * <p>
 * Features of this library plug into a worker through gates. This interface may change
 * with any release, so applications should use
 * {@link io.github.steadyjobs.ServerInterceptor} instead. Each {@link Maker} bean creates
 * one gate whenever the workers start. The gates are asked in the order of these beans,
 * until a gate holds the job back. Implementations must be thread safe.
 */
public interface Gate {

	/**
	 * Decide whether a job that this process can run may begin. Called by the worker that
	 * claimed the job, so this method must not block.
	 * @param job the job
	 * @return the reason why the job must not begin, or {@code null} if the job may begin
	 */
	@Nullable Hold holdsBack(Candidate job);

	/**
	 * Decide whether to put off the jobs of a run that has thrown an exception. Called by
	 * the worker.
	 * @param job the job, or the first of several jobs that ran together
	 * @param thrown the exception
	 * @return how long the jobs are put off without using up a retry; {@code null} to
	 * count the run as failed
	 */
	default @Nullable Duration putsOff(Candidate job, Throwable thrown) {
		return null;
	}

	/**
	 * Receive the outcome of a run. Called by the worker.
	 * @param job the job, or the first of several jobs that ran together
	 * @param outcome how the run ended
	 * @param failure the exception; {@code null} if the run did not fail, or if the job
	 * asked to be discarded
	 */
	default void ran(Candidate job, JobOutcome outcome, @Nullable Throwable failure) {
	}

	/**
	 * Receive a job that was claimed but will not begin, because it has expired, is
	 * unknown, does not fit its method or was held back. Called by the worker.
	 */
	default void notBegun(Candidate job) {
	}

	/**
	 * Receive the outcome of a job that this gate let through. The outcome is
	 * {@link JobOutcome#PARKED}, and the job never began, if a later gate held the job
	 * back. Called by the worker.
	 * @param job the job
	 * @param outcome how the job ended
	 */
	default void ended(Candidate job, JobOutcome outcome) {
	}

	/**
	 * Return the reasons of this gate that no longer hold. Jobs that are parked for one
	 * of these reasons continue when a worker starts, when a heartbeat reports that jobs
	 * were parked, and when the gate {@linkplain Worker#opened reports} that it has
	 * opened.
	 * @return the reasons, as the gate gave them when it held the jobs back
	 */
	default Set<String> open() {
		return Set.of();
	}

	/**
	 * Receive the answer to a heartbeat. Called by network threads, so this method must
	 * not block.
	 * @param parked the number of parked jobs in the queue
	 * @param version the version of the rules that the queue applies
	 */
	default void answered(String queue, long parked, long version) {
	}

	/**
	 * Receive the version of the rules that a queue applied when it handed out jobs.
	 * Called by network threads, so this method must not block.
	 */
	default void heard(long version) {
	}

	/**
	 * Do the work that is due with each heartbeat. Called by one thread at a time, and
	 * may wait for answers.
	 */
	default void round() {
	}

	/** A job that may begin only if all gates allow it. */
	interface Candidate extends JobContext {

		/** Return the Redis time of the claim, in milliseconds since the epoch. */
		long claimedAt();

	}

	/**
	 * The reason why a job must not begin.
	 *
	 * @param reason the name of the gate, a colon, and a name for the group of jobs that
	 * the gate lets continue together
	 * @param version the version of the rules that were applied; 0 for no version. If the
	 * queue knows this version or a newer version, and that version allows the job, the
	 * queue hands out the job again instead of parking it
	 */
	record Hold(String reason, long version) {

		/** Create a hold whose rules have no version. */
		public Hold(String reason) {
			this(reason, 0);
		}

	}

	/** The workers of a process, as seen by a gate. All methods return at once. */
	interface Worker {

		/** Return the name of the process. */
		String process();

		/** Look for jobs in a queue immediately. */
		void look(String queue);

		/** Search the parked jobs of a queue soon, because some of them may continue. */
		void opened(String queue);

		/** Search the parked jobs of all queues soon. */
		void opened();

		/** Return an executor that runs one task at a time. Tasks may block. */
		ScheduledExecutorService chores();

	}

	/** A bean that creates a gate whenever the workers start. */
	@FunctionalInterface
	interface Maker {

		Gate make(Worker worker);

	}

}

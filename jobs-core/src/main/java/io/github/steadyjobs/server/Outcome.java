package io.github.steadyjobs.server;

import java.time.Duration;

import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended, and what that means for the job. Decisions are separate from writes,
 * so that tests of the former need no Redis and tests of the latter no job.
 * <p>
 * A failed job is retried, dead or discarded, as {@link JobRetry} decides. A job with an
 * unreadable payload is dead. One that only another release can run is
 * {@linkplain Parking parked}. One that is cut short by a shutdown is released, or dead
 * if it must not run twice.
 */
sealed interface Outcome {

	JobOutcome kind();

	/**
	 * Return the goal for the job in Redis.
	 * @param dead how many dead jobs are kept, and for how long
	 */
	Goal goal(DeadLimits dead);

	/** Return the failure for hooks, {@code null} if the job did not fail. */
	default @Nullable Failure failure() {
		return null;
	}

	/**
	 * The job has run to its end, or was skipped.
	 */
	record Ended(JobOutcome kind) implements Outcome {

		static final Ended DONE = new Ended(JobOutcome.DONE);

		static final Ended SKIPPED = new Ended(JobOutcome.SKIPPED);

		@Override
		public Goal goal(DeadLimits dead) {
			return Goal.DONE;
		}

	}

	/**
	 * The job failed, or died without a failure. Hooks are called.
	 */
	sealed interface Failed extends Outcome {

		@Override
		Failure failure();

	}

	/**
	 * The job failed and runs again.
	 *
	 * @param queue the other queue in which it runs, {@code null} for the same one
	 */
	record Retry(byte[] payload, Duration delay, int count, Failure failure, @Nullable String queue) implements Failed {

		Retry with(byte[] payload, @Nullable String queue) {
			return new Retry(payload, this.delay, this.count, this.failure, queue);
		}

		@Override
		public Goal goal(DeadLimits dead) {
			return Goal.retry(this.payload, this.delay, this.queue);
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.RETRY;
		}

	}

	/**
	 * The job is dead. Without a payload it keeps the stored one.
	 */
	record Dead(byte @Nullable [] payload, Failure failure) implements Failed {

		@Override
		public Goal goal(DeadLimits dead) {
			return Goal.bury(this.payload, dead);
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.DEAD;
		}

	}

	/**
	 * The job failed and is forgotten.
	 */
	record Discarded(Failure failure) implements Failed {

		@Override
		public Goal goal(DeadLimits dead) {
			return Goal.DISCARDED;
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.DISCARDED;
		}

	}

	/**
	 * One payload of several is dead or forgotten, and the job continues with the others.
	 */
	record Exhausted(@Nullable NewJob dead, byte[] rest, Failure failure) implements Failed {

		@Override
		public Goal goal(DeadLimits dead) {
			return Goal.exhaust(this.dead, this.rest, dead);
		}

		@Override
		public JobOutcome kind() {
			return (this.dead != null) ? JobOutcome.DEAD : JobOutcome.DISCARDED;
		}

	}

	/**
	 * The run was cut short by a shutdown, or because the job is no longer held by this
	 * process. It goes back to its queue, where a cancelled job ends.
	 */
	record Released(JobOutcome kind) implements Outcome {

		static final Released CANCELLED = new Released(JobOutcome.CANCELLED);

		Released() {
			this(JobOutcome.RELEASED);
		}

		@Override
		public Goal goal(DeadLimits dead) {
			return Goal.RELEASED;
		}

	}

	/**
	 * The job asked to run later. That is not a failure.
	 */
	record Snoozed(byte[] payload, Duration delay) implements Outcome {

		@Override
		public Goal goal(DeadLimits dead) {
			return Goal.snooze(this.payload, this.delay);
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.SNOOZED;
		}

	}

	/**
	 * The job expired before it could begin.
	 */
	record Expired() implements Outcome {

		@Override
		public Goal goal(DeadLimits dead) {
			return Goal.EXPIRED;
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.EXPIRED;
		}

	}

	/**
	 * The job did not begin, or has asked for a pause, and is tried again later. That is
	 * not a failure.
	 */
	record PutOff(Duration delay) implements Outcome {

		@Override
		public Goal goal(DeadLimits dead) {
			return Goal.putOff(this.delay);
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.PUT_OFF;
		}

	}

	/**
	 * The job waits for a process that can run it, or for the end of a pause. Without a
	 * payload it keeps the stored one.
	 *
	 * @param pauses the version of the pauses if it waits for the end of a pause, 0
	 * otherwise
	 */
	record Parked(byte @Nullable [] payload, String reason, long pauses) implements Outcome {

		Parked(byte @Nullable [] payload, String reason) {
			this(payload, reason, 0);
		}

		@Override
		public Goal goal(DeadLimits dead) {
			return Goal.park(this.payload, this.reason, this.pauses);
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.PARKED;
		}

	}

	/**
	 * What hooks get once Redis has accepted the outcome.
	 *
	 * @param job the job with the failure recorded in it; {@code null} if it is
	 * unreadable
	 * @param cause the exception as it was thrown, or why the job died if nothing was
	 * thrown
	 * @param kind what it means for the job
	 */
	record Failure(@Nullable JobPayload job, Throwable cause, Kind kind) {

		/**
		 * What a failure means for its job.
		 */
		enum Kind {

			/**
			 * The job runs again, was discarded at its own request, or cannot be read.
			 */
			ATTEMPT,

			/** It was the last attempt. */
			EXHAUSTED,

			/** The job threw nothing, but is dead. */
			CUT_SHORT

		}

	}

}

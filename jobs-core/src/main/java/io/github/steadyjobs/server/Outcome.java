package io.github.steadyjobs.server;

import java.time.Duration;

import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * The result of a run and its consequence for the job. Decisions are separate from
 * writes, so that tests of decisions need no Redis and tests of writes need no job.
 * <p>
 * A failed job is retried, becomes dead or is discarded, as {@link JobRetry} decides. A
 * job with an unreadable payload becomes dead. A job that only another release can run is
 * {@linkplain Parking parked}. A job that is cut short by a shutdown is released, or
 * becomes dead if it must not run twice.
 */
sealed interface Outcome {

	/** The job has run to completion. */
	Outcome DONE = new Plain(JobOutcome.DONE, Goal.of("done"));

	/** The job ends although its method was not called. */
	Outcome SKIPPED = new Plain(JobOutcome.SKIPPED, Goal.of("done"));

	/** The job expired before it could begin. */
	Outcome EXPIRED = new Plain(JobOutcome.EXPIRED, Goal.of("expired"));

	/**
	 * The run was cut short by a shutdown, or because the job is no longer held by this
	 * process. The job goes back to its queue.
	 */
	Outcome RELEASED = new Plain(JobOutcome.RELEASED, Goal.of("released"));

	/** Like {@link #RELEASED}, but for a job that has not begun. */
	Outcome UNBEGUN = new Plain(JobOutcome.RELEASED, Goal.of("unbegun"));

	/**
	 * Like {@link #RELEASED}, but for a cancelled job, which Redis ends and does not put
	 * back.
	 */
	Outcome CANCELLED = new Plain(JobOutcome.CANCELLED, Goal.of("released"));

	JobOutcome kind();

	/**
	 * Return where Redis is to move the job.
	 * @param dead how many dead jobs are kept, and for how long
	 */
	Goal goal(DeadLimits dead);

	/** Return the failure to report to hooks, or {@code null} if the job did not fail. */
	default @Nullable Failure failure() {
		return null;
	}

	/** Return whether the job has failed. A job that is discarded on request has not. */
	default boolean hasFailed() {
		Failure failure = failure();
		return failure != null && (kind() != JobOutcome.DISCARDED || failure.kind() == Failure.Kind.EXHAUSTED);
	}

	/** The job ends, or goes back to its queue with the stored payload. */
	record Plain(JobOutcome kind, Goal goal) implements Outcome {

		@Override
		public Goal goal(DeadLimits dead) {
			return this.goal;
		}

	}

	/** The job failed, or became dead without a failure of its own. Hooks are called. */
	sealed interface Failed extends Outcome {

		@Override
		Failure failure();

	}

	/**
	 * The job failed and runs again.
	 *
	 * @param queue the queue in which the job runs again, {@code null} for the same queue
	 */
	record Retry(byte[] payload, Duration delay, int count, Failure failure, @Nullable String queue) implements Failed {

		Retry with(byte[] payload, @Nullable String queue) {
			return new Retry(payload, this.delay, this.count, this.failure, queue);
		}

		@Override
		public Goal goal(DeadLimits dead) {
			return (this.queue == null) ? Goal.of("failed", this.payload, this.delay)
					: Goal.of("failed", this.payload, this.delay, this.queue);
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.RETRY;
		}

	}

	/** The job is dead. Without a new payload, the job keeps its stored payload. */
	record Dead(byte @Nullable [] payload, Failure failure) implements Failed {

		@Override
		public Goal goal(DeadLimits dead) {
			return Goal.of("dead", this.payload, dead.max(), dead.age());
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.DEAD;
		}

	}

	/** The job failed and is removed. */
	record Discarded(Failure failure) implements Failed {

		@Override
		public Goal goal(DeadLimits dead) {
			return Goal.of("discarded");
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.DISCARDED;
		}

	}

	/** One of several payloads is dead or discarded; the job continues with the rest. */
	record Exhausted(@Nullable NewJob dead, byte[] rest, Failure failure) implements Failed {

		@Override
		public Goal goal(DeadLimits dead) {
			return (this.dead != null)
					? Goal.of("dead", this.dead.payload(), dead.max(), dead.age(), this.dead.id(), this.rest)
					: Goal.of("discarded", null, dead.max(), dead.age(), "", this.rest);
		}

		@Override
		public JobOutcome kind() {
			return (this.dead != null) ? JobOutcome.DEAD : JobOutcome.DISCARDED;
		}

	}

	/** The job asked to run later, which is not a failure. */
	record Snoozed(byte[] payload, Duration delay) implements Outcome {

		@Override
		public Goal goal(DeadLimits dead) {
			return Goal.of("snoozed", this.payload, this.delay);
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.SNOOZED;
		}

	}

	/**
	 * The job did not begin or could not complete, and is tried again later. This is not
	 * a failure.
	 */
	record PutOff(Duration delay) implements Outcome {

		@Override
		public Goal goal(DeadLimits dead) {
			return Goal.of("putoff", null, this.delay);
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.PUT_OFF;
		}

	}

	/**
	 * The job waits for a process that can run it, or for the end of a pause. Without a
	 * new payload, the job keeps its stored payload.
	 *
	 * @param reason why the job is parked; used to find the job when the reason no longer
	 * holds
	 * @param rules the version of the queue's rules that caused the job to be parked; 0
	 * if the job is parked for another reason
	 */
	record Parked(byte @Nullable [] payload, String reason, long rules) implements Outcome {

		Parked(byte @Nullable [] payload, String reason) {
			this(payload, reason, 0);
		}

		@Override
		public Goal goal(DeadLimits dead) {
			return Goal.of((this.rules > 0) ? "paused" : "parked", this.payload, this.reason, this.rules);
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.PARKED;
		}

	}

	/**
	 * The failure of which hooks are notified after Redis has accepted the outcome.
	 *
	 * @param job the job with the failure recorded in it; {@code null} if the job is
	 * unreadable, or if the failure does not belong to a job
	 * @param cause the exception as it was thrown or, if nothing was thrown, the reason
	 * why the job is dead
	 * @param kind the consequence of the failure for the job
	 */
	record Failure(@Nullable JobPayload job, Throwable cause, Kind kind) {

		/** The consequence of a failure for its job. */
		enum Kind {

			/** The job will run again, is discarded on request, or cannot be read. */
			ATTEMPT,

			/** The job has failed in its last attempt. */
			EXHAUSTED,

			/** The job is dead although it threw no exception. */
			CUT_SHORT

		}

	}

}

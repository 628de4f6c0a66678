package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.redis.JobToken;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.Settlement;
import io.github.steadyjobs.redis.WorkStore;
import io.github.steadyjobs.redis.WorkStore.DeadLimits;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended, and what that means for the job. Deciding is apart from writing, so
 * that a test of the one needs no Redis and a test of the other no job.
 * <p>
 * A failed job is retried, dead or discarded, as {@link JobRetry} decides. One with a
 * payload that nobody can read is dead. One that only another release can run is
 * {@linkplain Parking parked}. One that a shutdown cuts short is released, or dead if it
 * must not run twice.
 */
sealed interface Outcome {

	/**
	 * Tell Redis, in one call that is repeated until it is answered.
	 */
	void settle(UnitOfWork work, Settlements settlements);

	JobOutcome kind();

	/**
	 * The job has run to its end, or was skipped.
	 */
	record Ended(JobOutcome kind) implements Outcome {

		static final Ended DONE = new Ended(JobOutcome.DONE);

		static final Ended SKIPPED = new Ended(JobOutcome.SKIPPED);

		@Override
		public void settle(UnitOfWork work, Settlements settlements) {
			settlements.acknowledge(work);
		}

	}

	/**
	 * The job failed, or died without that. Hooks hear of it.
	 */
	sealed interface Failed extends Outcome {

		Failure failure();

		CompletableFuture<Settlement> call(WorkStore store, JobToken token, DeadLimits limits);

		@Override
		default void settle(UnitOfWork work, Settlements settlements) {
			settlements.settle(List.of(work), List.of(this));
		}

	}

	/**
	 * The job failed and runs again.
	 *
	 * @param queue the other queue in which it does, {@code null} for the same one
	 */
	record Retry(byte[] payload, Duration delay, int count, Failure failure, @Nullable String queue) implements Failed {

		Retry in(@Nullable String queue) {
			return new Retry(this.payload, this.delay, this.count, this.failure, queue);
		}

		@Override
		public CompletableFuture<Settlement> call(WorkStore store, JobToken token, DeadLimits limits) {
			return store.retry(token, this.payload, this.delay, this.queue);
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
		public CompletableFuture<Settlement> call(WorkStore store, JobToken token, DeadLimits limits) {
			return store.bury(token, this.payload, limits);
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
		public CompletableFuture<Settlement> call(WorkStore store, JobToken token, DeadLimits limits) {
			return store.discard(token, false);
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.DISCARDED;
		}

	}

	/**
	 * One payload of an ordered job is dead or forgotten, and the job goes on with the
	 * others.
	 */
	record Exhausted(@Nullable NewJob dead, byte[] rest, Failure failure) implements Failed {

		@Override
		public CompletableFuture<Settlement> call(WorkStore store, JobToken token, DeadLimits limits) {
			return store.exhaust(token, this.dead, this.rest, limits);
		}

		@Override
		public JobOutcome kind() {
			return (this.dead != null) ? JobOutcome.DEAD : JobOutcome.DISCARDED;
		}

	}

	/**
	 * The jobs of a batch have failed, each in its own way.
	 */
	record Several(List<Failed> outcomes) implements Outcome {

		@Override
		public void settle(UnitOfWork work, Settlements settlements) {
			settlements.settle(work.all(), this.outcomes);
		}

		@Override
		public JobOutcome kind() {
			return this.outcomes.get(0).kind();
		}

	}

	/**
	 * The run was cut short by a shutdown, or because the job is no longer ours. It goes
	 * back to its queue, where one that was cancelled ends.
	 */
	record Released(JobOutcome kind) implements Outcome {

		static final Released CANCELLED = new Released(JobOutcome.CANCELLED);

		Released() {
			this(JobOutcome.RELEASED);
		}

		@Override
		public void settle(UnitOfWork work, Settlements settlements) {
			settlements.release(List.of(work), true);
		}

	}

	/**
	 * The job asked to run later, and so do the others of its batch. That is no failure.
	 */
	record Snoozed(List<byte[]> payloads, Duration delay) implements Outcome {

		@Override
		public void settle(UnitOfWork work, Settlements settlements) {
			List<UnitOfWork> works = work.all();
			for (int index = 0; index < works.size(); index++) {
				UnitOfWork each = works.get(index);
				byte[] payload = this.payloads.get(index);
				settlements.settle(each, (store) -> store.snooze(each.token(), payload, this.delay));
			}
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.SNOOZED;
		}

	}

	/**
	 * It was too late for the job to begin.
	 */
	record Expired() implements Outcome {

		@Override
		public void settle(UnitOfWork work, Settlements settlements) {
			settlements.settle(work, (store) -> store.discard(work.token(), true));
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.EXPIRED;
		}

	}

	/**
	 * The job did not begin, or has asked for a pause, and is tried again later. That is
	 * no failure.
	 */
	record PutOff(Duration delay) implements Outcome {

		@Override
		public void settle(UnitOfWork work, Settlements settlements) {
			work.all().forEach((each) -> settlements.settle(each, (store) -> store.putOff(each.token(), this.delay)));
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
	 * @param pauses the version of the pauses by which it waits for an end, 0 otherwise
	 */
	record Parked(byte @Nullable [] payload, String reason, long pauses) implements Outcome {

		Parked(byte @Nullable [] payload, String reason) {
			this(payload, reason, 0);
		}

		@Override
		public void settle(UnitOfWork work, Settlements settlements) {
			settlements.settle(work, (store) -> store.park(work.token(), this.payload, this.reason, this.pauses));
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.PARKED;
		}

	}

	/**
	 * What hooks are told once Redis has taken the outcome.
	 *
	 * @param job the job, with what happened noted in it; {@code null} if nobody can read
	 * it
	 * @param cause what was thrown, as it was thrown, or why the job died if nothing was
	 * @param kind what it means for the job
	 */
	record Failure(@Nullable JobPayload job, Throwable cause, Kind kind) {

		/**
		 * What a failure means for its job.
		 */
		enum Kind {

			/**
			 * The job runs again, was forgotten at its own request, or cannot be read.
			 */
			ATTEMPT,

			/** It was the last attempt. */
			EXHAUSTED,

			/** The job threw nothing, but is dead all the same. */
			CUT_SHORT

		}

	}

}

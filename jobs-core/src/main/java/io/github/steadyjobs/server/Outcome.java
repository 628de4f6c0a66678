package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;

import io.github.steadyjobs.JobOutcome;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended and what that means for the job. Deciding is apart from writing, so
 * that a test of the one needs no Redis and a test of the other no job.
 */
sealed interface Outcome {

	/**
	 * Tell Redis, in one call that is repeated until it is answered.
	 */
	void settle(UnitOfWork work, Settlements settlements);

	/**
	 * Return what listeners are told.
	 */
	JobOutcome kind();

	/**
	 * The job has ended, having run or having been skipped.
	 */
	record Ended(JobOutcome kind) implements Outcome {

		@Override
		public void settle(UnitOfWork work, Settlements settlements) {
			settlements.acknowledge(work);
		}

	}

	/**
	 * The job failed and runs again.
	 */
	record Retry(byte[] payload, Duration delay, int count, Failure failure) implements Outcome {

		@Override
		public void settle(UnitOfWork work, Settlements settlements) {
			settlements.settle(work, (store) -> store.retry(work.token(), this.payload, this.delay), this.failure);
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.RETRY;
		}

	}

	/**
	 * The job is dead; without payload it is kept as it was stored.
	 */
	record Dead(byte @Nullable [] payload, Failure failure) implements Outcome {

		@Override
		public void settle(UnitOfWork work, Settlements settlements) {
			settlements.settle(work, (store) -> store.bury(work.token(), this.payload, settlements.deadLimits()),
					this.failure);
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.DEAD;
		}

	}

	/**
	 * The job failed and is forgotten.
	 */
	record Discarded(Failure failure) implements Outcome {

		@Override
		public void settle(UnitOfWork work, Settlements settlements) {
			settlements.settle(work, (store) -> store.discard(work.token()), this.failure);
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.DISCARDED;
		}

	}

	/**
	 * The run was cut short, by a shutdown or since the job is not ours any more. It goes
	 * back to its queue.
	 */
	record Released() implements Outcome {

		@Override
		public void settle(UnitOfWork work, Settlements settlements) {
			settlements.release(List.of(work));
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.RELEASED;
		}

	}

	/**
	 * The job did not begin, and is tried again later. That is no failure.
	 */
	record PutOff(Duration delay) implements Outcome {

		@Override
		public void settle(UnitOfWork work, Settlements settlements) {
			settlements.settle(work, (store) -> store.putOff(work.token(), this.delay), null);
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.PUT_OFF;
		}

	}

	/**
	 * The job waits for a process that can run it; without payload it is kept as it was
	 * stored.
	 */
	record Parked(byte @Nullable [] payload, String reason) implements Outcome {

		@Override
		public void settle(UnitOfWork work, Settlements settlements) {
			settlements.settle(work, (store) -> store.park(work.token(), this.payload, this.reason), null);
		}

		@Override
		public JobOutcome kind() {
			return JobOutcome.PARKED;
		}

	}

}

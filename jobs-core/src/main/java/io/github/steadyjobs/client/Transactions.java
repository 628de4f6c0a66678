package io.github.steadyjobs.client;

import java.util.List;
import java.util.function.Supplier;

import io.github.steadyjobs.redis.Interrupts;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Holds drafts until the transaction of the current thread commits. Thread safe. */
final class Transactions {

	private final JobWriter writer;

	Transactions(JobWriter writer) {
		this.writer = writer;
	}

	/** Return whether there is a transaction that has not committed yet. */
	boolean isActive() {
		return TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive() && !CommitWatch.isCommitted();
	}

	/** Keep drafts for the commit of the active transaction. */
	void add(List<JobDraft> added) {
		DeferredJobs jobs = current();
		if (jobs == null) {
			jobs = new DeferredJobs(this.writer);
			CommitWatch.watch();
			TransactionSynchronizationManager.registerSynchronization(jobs);
		}
		jobs.add(added);
	}

	/** Store drafts now. After the commit, this postpones interrupts. */
	<T> T store(Supplier<T> storing) {
		return CommitWatch.isCommitted() ? Interrupts.postpone(storing) : storing.get();
	}

	private @Nullable DeferredJobs current() {
		for (TransactionSynchronization synchronization : TransactionSynchronizationManager.getSynchronizations()) {
			if (synchronization instanceof DeferredJobs jobs && jobs.belongTo(this.writer)) {
				return jobs;
			}
		}
		return null;
	}

	/**
	 * Tracks whether the transaction of the current thread has committed. Spring does not
	 * provide this information: while callbacks run after the commit, Spring still
	 * reports the transaction as active.
	 */
	static final class CommitWatch implements TransactionExecutionListener {

		@Override
		public void beforeCommit(TransactionExecution transaction) {
			// A callback for the time after the commit can be registered at this moment,
			// but no later.
			if (TransactionSynchronizationManager.isSynchronizationActive()) {
				watch();
			}
		}

		private static void watch() {
			if (mark() == null) {
				TransactionSynchronizationManager.registerSynchronization(new Mark());
			}
		}

		/**
		 * Return whether the current thread has a watched transaction that has committed
		 * and whose callbacks are now being called.
		 */
		static boolean isCommitted() {
			if (!TransactionSynchronizationManager.isSynchronizationActive()) {
				return false;
			}
			Mark mark = mark();
			return mark != null && mark.committed;
		}

		private static @Nullable Mark mark() {
			for (TransactionSynchronization synchronization : TransactionSynchronizationManager.getSynchronizations()) {
				if (synchronization instanceof Mark mark) {
					return mark;
				}
			}
			return null;
		}

		/** A callback that is called before all other callbacks. */
		private static final class Mark implements TransactionSynchronization {

			private boolean committed;

			@Override
			public void afterCommit() {
				this.committed = true;
			}

			@Override
			public int getOrder() {
				return Ordered.HIGHEST_PRECEDENCE;
			}

		}

	}

}

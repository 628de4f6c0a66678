package io.github.steadyjobs.client;

import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Knows whether the transaction of the current thread has committed. Spring does not tell
 * its callbacks: while they run after the commit, it reports a transaction as active.
 */
final class CommitWatch implements TransactionExecutionListener {

	@Override
	public void beforeCommit(TransactionExecution transaction) {
		// The last moment at which what is registered is called back after the commit.
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			watch();
		}
	}

	/**
	 * Watch the transaction of the current thread.
	 */
	static void watch() {
		if (mark() == null) {
			TransactionSynchronizationManager.registerSynchronization(new Mark());
		}
	}

	/**
	 * Return whether the transaction of the current thread has committed, as far as it
	 * was watched, and its callbacks are called.
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

	/**
	 * Is called back before everybody else.
	 */
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

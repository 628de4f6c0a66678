package io.github.steadyjobs.client;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps jobs until the transaction of the current thread commits. Thread safe.
 */
final class Transactions {

	private final JobWriter writer;

	Transactions(JobWriter writer) {
		this.writer = writer;
	}

	/**
	 * Return whether there is a transaction that is still to commit.
	 */
	boolean isActive() {
		if (!TransactionSynchronizationManager.isActualTransactionActive()
				|| !TransactionSynchronizationManager.isSynchronizationActive()) {
			return false;
		}
		DeferredJobs jobs = current();
		return jobs == null || !jobs.isCommitted();
	}

	/**
	 * Keep jobs for the commit of the active transaction.
	 */
	void add(List<PreparedJob> added) {
		DeferredJobs jobs = current();
		if (jobs == null) {
			jobs = new DeferredJobs(this, this.writer);
			TransactionSynchronizationManager.registerSynchronization(jobs);
		}
		jobs.add(added);
	}

	private @Nullable DeferredJobs current() {
		for (TransactionSynchronization synchronization : TransactionSynchronizationManager.getSynchronizations()) {
			if (synchronization instanceof DeferredJobs jobs && jobs.belongsTo(this)) {
				return jobs;
			}
		}
		return null;
	}

}

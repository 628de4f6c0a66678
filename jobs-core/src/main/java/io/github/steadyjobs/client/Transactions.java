package io.github.steadyjobs.client;

import java.util.List;
import java.util.function.Supplier;

import io.github.steadyjobs.redis.Interrupts;
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
		return TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive() && !CommitWatch.isCommitted();
	}

	/**
	 * Keep jobs for the commit of the active transaction.
	 */
	void add(List<PreparedJob> added) {
		DeferredJobs jobs = current();
		if (jobs == null) {
			jobs = new DeferredJobs(this, this.writer);
			CommitWatch.watch();
			TransactionSynchronizationManager.registerSynchronization(jobs);
		}
		jobs.add(added);
	}

	/**
	 * Store jobs now. Once the transaction has committed, no interrupt prevents that.
	 */
	<T> T store(Supplier<T> storing) {
		return CommitWatch.isCommitted() ? Interrupts.postpone(storing) : storing.get();
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

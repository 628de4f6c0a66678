package io.github.steadyjobs.client;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.BulkEnqueueException;
import io.github.steadyjobs.BulkEnqueueException.Outcome;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.redis.Interrupts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.support.TransactionSynchronization;

/**
 * The jobs that wait for the commit of one transaction. Used only by the thread of that
 * transaction.
 */
final class DeferredJobs implements TransactionSynchronization {

	private static final Logger logger = LoggerFactory.getLogger(DeferredJobs.class);

	private final JobWriter writer;

	private final List<JobDraft> jobs = new ArrayList<>();

	private final Map<Object, Integer> savepoints = new IdentityHashMap<>();

	DeferredJobs(JobWriter writer) {
		this.writer = writer;
	}

	/** Return whether the jobs belong to the client that has the given writer. */
	boolean belongTo(JobWriter writer) {
		return this.writer == writer;
	}

	void add(List<JobDraft> jobs) {
		this.jobs.addAll(jobs);
	}

	@Override
	public void savepoint(Object savepoint) {
		this.savepoints.put(savepoint, this.jobs.size());
	}

	@Override
	public void savepointRollback(Object savepoint) {
		// An unknown savepoint is older than the first job.
		int size = this.savepoints.getOrDefault(savepoint, 0);
		this.jobs.subList(Math.min(size, this.jobs.size()), this.jobs.size()).clear();
	}

	@Override
	public void afterCommit() {
		store();
	}

	@Override
	public void afterCompletion(int status) {
		if (status == STATUS_COMMITTED) {
			// Jobs are left over if this object was registered while the callbacks after
			// the commit were running, or if another of these callbacks threw an
			// exception before this callback was called.
			store();
		}
		else if (status == STATUS_UNKNOWN && !this.jobs.isEmpty()) {
			String message = "Nobody knows whether the transaction committed. These jobs were not stored: "
					+ EnqueueReport.describe(this.jobs);
			logger.error(message);
			this.writer.abandon(this.jobs, new JobStoreException(message));
		}
	}

	private void store() {
		List<JobDraft> ready = List.copyOf(this.jobs);
		this.jobs.clear();
		try {
			Interrupts.postpone(() -> {
				this.writer.storeCommitted(ready);
				return ready;
			});
		}
		catch (RuntimeException | Error ex) {
			List<JobDraft> lost = new ArrayList<>(ready);
			if (ex instanceof BulkEnqueueException) {
				lost.removeIf((draft) -> draft.outcome() == Outcome.ANSWERED);
			}
			throw lost(lost, ex);
		}
	}

	/**
	 * Log lost jobs, and return the exception to throw. The caller of the commit would
	 * take the original exception for a rollback, and would repeat work that is already
	 * done.
	 */
	private static JobStoreException lost(List<JobDraft> lost, Throwable cause) {
		String jobs = EnqueueReport.describe(lost);
		logger.error("The transaction has committed, but Redis did not confirm {} of its jobs: {}", lost.size(), jobs,
				cause);
		Reason reason = (cause instanceof JobStoreException failure) ? failure.reason() : Reason.REFUSED;
		return new JobStoreException(reason,
				"The transaction HAS committed, so do not repeat it. Redis did not confirm %d of its jobs: %s. %s"
					.formatted(lost.size(), jobs, cause.getMessage()),
				cause);
	}

}

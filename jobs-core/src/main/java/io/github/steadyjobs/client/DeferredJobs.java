package io.github.steadyjobs.client;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.steadyjobs.BulkEnqueueException;
import io.github.steadyjobs.BulkEnqueueException.Outcome;
import io.github.steadyjobs.Durability;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.redis.Interrupts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.support.TransactionSynchronization;

/**
 * The jobs that wait for the commit of one transaction. Used by the thread of that
 * transaction only.
 */
final class DeferredJobs implements TransactionSynchronization {

	private static final Logger logger = LoggerFactory.getLogger(DeferredJobs.class);

	private static final int LOGGED_AT_MOST = 100;

	private final Transactions owner;

	private final JobWriter writer;

	private final List<JobDraft> jobs = new ArrayList<>();

	private final Map<Object, Integer> savepoints = new IdentityHashMap<>();

	DeferredJobs(Transactions owner, JobWriter writer) {
		this.owner = owner;
		this.writer = writer;
	}

	boolean belongsTo(Transactions transactions) {
		return this.owner == transactions;
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
		// A savepoint that is not known is older than the first job.
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
			// Left over if this was registered during the callbacks after the commit, or
			// if one of those threw before it came to ours.
			store();
		}
		else if (status == STATUS_UNKNOWN && !this.jobs.isEmpty()) {
			String message = "Nobody knows whether the transaction committed. These jobs were not stored: "
					+ describe(this.jobs);
			logger.error(message);
			this.writer.abandon(this.jobs, new JobStoreException(message));
		}
	}

	private void store() {
		List<JobDraft> ready = List.copyOf(this.jobs);
		this.jobs.clear();
		try {
			Interrupts.postpone(() -> store(ready));
			logLessDurable(ready);
		}
		catch (BulkEnqueueException ex) {
			List<JobDraft> lost = new ArrayList<>(ready);
			lost.removeIf((draft) -> draft.outcome() == Outcome.ANSWERED);
			logLessDurable(ready);
			throw lost(lost, ex);
		}
		catch (RuntimeException | Error ex) {
			throw lost(ready, ex);
		}
	}

	private List<EnqueueResult> store(List<JobDraft> ready) {
		return (ready.size() == 1) ? List.of(this.writer.store(ready.get(0))) : this.writer.storeAll(ready, ready);
	}

	/**
	 * Log the jobs that are stored less safely than they should be, since their callers
	 * have long got a result.
	 */
	private static void logLessDurable(List<JobDraft> ready) {
		List<JobDraft> less = new ArrayList<>(ready);
		less.removeIf((draft) -> {
			Durability reached = draft.result().durability();
			return reached == null || reached.compareTo(draft.options().durability()) >= 0;
		});
		if (!less.isEmpty()) {
			logger.warn("The transaction has committed and its jobs are stored, but no replica has acknowledged {}: {}",
					less.size(), describe(less));
		}
	}

	/**
	 * Log what is lost, and return what to throw. Not the cause itself: the caller of the
	 * commit would take that for a rollback, and repeat what is done.
	 */
	private static JobStoreException lost(List<JobDraft> lost, Throwable cause) {
		String jobs = describe(lost);
		logger.error("The transaction has committed, but Redis did not confirm {} of its jobs: {}", lost.size(), jobs,
				cause);
		Reason reason = (cause instanceof JobStoreException failure) ? failure.reason() : Reason.REFUSED;
		return new JobStoreException(reason,
				"The transaction HAS committed, so do not repeat it. Redis did not confirm %d of its jobs: %s. %s"
					.formatted(lost.size(), jobs, cause.getMessage()),
				cause);
	}

	private static String describe(List<JobDraft> jobs) {
		String listed = jobs.stream().limit(LOGGED_AT_MOST).map(JobDraft::toString).collect(Collectors.joining(", "));
		int left = jobs.size() - LOGGED_AT_MOST;
		return (left > 0) ? listed + " and " + left + " more" : listed;
	}

}

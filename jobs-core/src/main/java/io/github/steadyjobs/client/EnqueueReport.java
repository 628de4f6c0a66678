package io.github.steadyjobs.client;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import io.github.steadyjobs.EnqueueListener;
import io.github.steadyjobs.EnqueueListener.Requested;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.Admission;
import io.github.steadyjobs.redis.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports how requests end, to the log and to listeners. Warns once of each queue that
 * jobs were put into and no process serves, since its name may be misspelt; nobody waits
 * for that. Thread safe.
 */
final class EnqueueReport {

	/**
	 * Names of queues may be made of data, and must not fill the memory.
	 */
	private static final int MOST_QUEUES = 1000;

	private static final Logger logger = LoggerFactory.getLogger(EnqueueReport.class);

	private final List<EnqueueListener> listeners;

	private final JobStore store;

	private final Predicate<String> doubtful;

	private final Set<String> asked = ConcurrentHashMap.newKeySet();

	EnqueueReport(List<EnqueueListener> listeners, JobStore store, Predicate<String> doubtful) {
		this.listeners = List.copyOf(listeners);
		this.store = store;
		this.doubtful = doubtful;
	}

	/**
	 * Report what Redis has answered.
	 */
	void answered(JobDraft draft, Admission admission) {
		log(draft, admission);
		tell(draft, draft.result(), null);
	}

	/**
	 * Report a request that has not become a job, as far as Redis has confirmed.
	 * @param reason what was thrown, or {@code null} if an interceptor stopped it
	 */
	void refused(JobDraft draft, @Nullable Throwable reason) {
		tell(draft, null, reason);
	}

	private void tell(JobDraft draft, @Nullable EnqueueResult result, @Nullable Throwable reason) {
		if (this.listeners.isEmpty()) {
			return;
		}
		Requested job = new Requested(draft.id(), draft.name(), draft.queue());
		for (EnqueueListener listener : this.listeners) {
			try {
				if (result == null) {
					listener.refused(job, reason);
				}
				else if (result instanceof EnqueueResult.Duplicate duplicate) {
					listener.duplicate(job, duplicate);
				}
				else {
					listener.accepted(job, result, draft.overlap());
				}
			}
			catch (Throwable ex) {
				// Errors too: jobs of a transaction that has committed would not be
				// stored.
				logger.warn("Listener {} failed", listener.getClass().getName(), ex);
			}
		}
	}

	private static void log(JobDraft draft, Admission admission) {
		switch (admission.kind()) {
			case STORED, MERGED, FULL -> {
				// As almost all are, or an exception tells.
			}
			case DUPLICATE -> logger.debug("Job {} was dropped as a duplicate of {}", draft, admission.holder());
			case RUNS_ONCE_MORE ->
				logger.debug("Job {} was dropped as a duplicate of {}, which runs already, and runs after it", draft,
						admission.holder());
			case STORED_FOR_LOST ->
				logger.warn("Job {} of queue {} took over the lock of an equal job that is gone without having ended",
						draft, draft.queue());
			case STORED_AFTER_EXPIRY -> logger.warn(
					"Job {} of queue {} is stored although an equal job has not ended: its lock has expired. A longer "
							+ "'ttl' of @Idempotent prevents that",
					draft, draft.queue());
		}
	}

	/**
	 * Ask Redis whether a process serves the queue of a draft, unless that is known.
	 */
	void checkServed(JobDraft draft) {
		String queue = draft.queue();
		if (this.asked.contains(queue) || this.asked.size() >= MOST_QUEUES || !this.doubtful.test(queue)
				|| !this.asked.add(queue)) {
			return;
		}
		try {
			this.store.isServed(queue).whenComplete((served, failure) -> answered(draft, served, failure));
		}
		catch (JobStoreException ex) {
			answered(draft, null, ex);
		}
	}

	private void answered(JobDraft draft, @Nullable Boolean served, @Nullable Throwable failure) {
		if (failure != null) {
			logger.debug("Whether a process serves queue {} could not be asked", draft.queue(), failure);
			this.asked.remove(draft.queue());
		}
		else if (Boolean.FALSE.equals(served)) {
			logger.warn("Job '{}' was put into the queue '{}', which no process serves right now, so it waits until "
					+ "one does. Correct the name of the queue, or add it to 'steadyjobs.queues' or a capsule of a "
					+ "process that has the job", draft.name(), draft.queue());
		}
	}

}

package io.github.steadyjobs.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.EnqueueListener;
import io.github.steadyjobs.EnqueueListener.Requested;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.ordered.Gathered;
import io.github.steadyjobs.redis.PayloadCodec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the results of requests to the log and to listeners. Warns once about each
 * queue that receives jobs but is not served by any process, because its name may be
 * misspelt. This check does not delay callers. Thread safe.
 */
final class EnqueueReport {

	/** Maximum number of queues to remember, because queue names may come from data. */
	private static final int MOST_QUEUES = 1000;

	private static final int LOGGED_AT_MOST = 100;

	private static final Logger logger = LoggerFactory.getLogger(EnqueueReport.class);

	private final List<EnqueueListener> listeners;

	private final JobStorage store;

	private final PayloadCodec codec;

	private final boolean logPayloads;

	private final Predicate<String> doubtful;

	private final Set<String> asked = ConcurrentHashMap.newKeySet();

	EnqueueReport(List<EnqueueListener> listeners, JobStorage store, PayloadCodec codec, JobClientSettings settings) {
		this.listeners = List.copyOf(listeners);
		this.store = store;
		this.codec = codec;
		this.logPayloads = settings.outage().logPayloads();
		this.doubtful = settings.doubtful();
	}

	/** Report the answer from Redis. */
	void answered(JobDraft draft, Admission admission) {
		log(draft, admission);
		EnqueueResult result = draft.result();
		tell(draft, (job, listener) -> {
			if (result instanceof EnqueueResult.Duplicate duplicate) {
				listener.duplicate(job, duplicate);
			}
			else {
				listener.accepted(job, result, draft.overlap());
			}
		});
	}

	/**
	 * Report a request that did not become a job, or whose outcome is unknown.
	 * @param reason the exception, or {@code null} if an interceptor stopped the request
	 */
	void refused(JobDraft draft, @Nullable Throwable reason) {
		tell(draft, (job, listener) -> listener.refused(job, reason));
	}

	/**
	 * Report a job that cannot be stored although it was reported to its caller as
	 * accepted.
	 */
	void lost(JobDraft draft, JobStoreException reason) {
		byte[] stored = draft.payload();
		JobPayload payload = Gathered.next(this.codec, draft.lane(), stored);
		logger.error("Job {} of queue {} was accepted and is lost: {}. {}Payload: {}", draft, draft.queue(),
				reason.getMessage(),
				(reason instanceof JobStoreTimeoutException)
						? "It may be stored all the same, so look for its id before you enqueue it again. "
						: "Enqueue it again. ",
				this.logPayloads ? payload.json() : "left out, as 'steadyjobs.client.log-payloads' is false");
		tell(draft, (job, listener) -> listener.lost(job, payload, reason));
	}

	/**
	 * Log the jobs that are stored less safely than requested. Their callers have already
	 * received a result.
	 */
	void checkDurable(List<JobDraft> stored) {
		List<JobDraft> less = new ArrayList<>(0);
		for (JobDraft draft : stored) {
			Durability reached = draft.result().durability();
			if (reached != null && reached.compareTo(draft.options().durability()) < 0) {
				less.add(draft);
			}
		}
		if (!less.isEmpty()) {
			logger.warn("The transaction has committed and its jobs are stored, but no replica has acknowledged {}: {}",
					less.size(), describe(less));
		}
	}

	/** Return the names and ids of the first hundred jobs, and how many follow. */
	static String describe(List<JobDraft> jobs) {
		String listed = jobs.stream().limit(LOGGED_AT_MOST).map(JobDraft::toString).collect(Collectors.joining(", "));
		int left = jobs.size() - LOGGED_AT_MOST;
		return (left > 0) ? listed + " and " + left + " more" : listed;
	}

	private void tell(JobDraft draft, BiConsumer<Requested, EnqueueListener> event) {
		if (this.listeners.isEmpty()) {
			return;
		}
		Requested job = new Requested(draft.id(), draft.name(), draft.queue());
		for (EnqueueListener listener : this.listeners) {
			try {
				event.accept(job, listener);
			}
			catch (Throwable ex) {
				// Errors are caught too, because otherwise jobs of a committed
				// transaction would not be stored.
				logger.warn("Listener {} failed", listener.getClass().getName(), ex);
			}
		}
	}

	private static void log(JobDraft draft, Admission admission) {
		switch (admission.kind()) {
			case STORED, MERGED, FULL -> {
				// Not logged: almost all jobs are stored, and a full key leads to an
				// exception.
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
	 * Log a warning if no process serves the queue of a draft. Redis is asked once for
	 * each queue that may be unserved, and the caller does not wait for the answer.
	 */
	void checkServed(JobDraft draft) {
		String queue = draft.queue();
		if (this.asked.contains(queue) || this.asked.size() >= MOST_QUEUES || !this.doubtful.test(queue)
				|| !this.asked.add(queue)) {
			return;
		}
		try {
			this.store.isServed(draft.lane()).whenComplete((served, failure) -> answered(draft, served, failure));
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

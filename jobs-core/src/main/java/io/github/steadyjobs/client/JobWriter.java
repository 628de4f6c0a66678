package io.github.steadyjobs.client;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.github.steadyjobs.BulkEnqueueException;
import io.github.steadyjobs.BulkEnqueueException.Outcome;
import io.github.steadyjobs.ConsistencySource;
import io.github.steadyjobs.Durability;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.Admission;
import io.github.steadyjobs.redis.JobStore;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.Push;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores drafts, and has their ends reported. Thread safe.
 */
final class JobWriter {

	private static final Pattern POSITION = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

	private static final Logger logger = LoggerFactory.getLogger(JobWriter.class);

	private final JobStore store;

	private final List<ConsistencySource> sources;

	private final EnqueueReport report;

	private final Clock clock;

	JobWriter(JobStore store, EnqueueReport report, JobClientSettings settings) {
		this.store = store;
		this.sources = settings.sources();
		this.report = report;
		this.clock = settings.clock();
	}

	/**
	 * Store one draft, and return its result.
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	EnqueueResult store(JobDraft draft) {
		try {
			stamp(draft);
			NewJob job = draft.toStore(this.clock.millis());
			JobStore.Taken taken = this.store.enqueue(draft.queue(), job, draft.options().durability());
			draft.answer(taken.admission(), taken.reached());
			this.report.answered(draft, taken.admission());
			this.report.checkServed(draft);
			return draft.result();
		}
		catch (JobStoreException ex) {
			this.report.refused(draft, ex);
			throw ex;
		}
	}

	/**
	 * Store drafts, queue by queue, and no more of them once one push has failed.
	 * @param ready the drafts to store
	 * @param all these and maybe others, in the order of the requests
	 * @return the results of all
	 * @throws BulkEnqueueException if not all were stored; it has the results of all
	 */
	List<EnqueueResult> storeAll(List<JobDraft> ready, List<JobDraft> all) {
		JobStoreException failure = null;
		for (List<JobDraft> queue : byQueue(ready).values()) {
			Push push = (failure == null) ? push(queue) : new Push(queue.size());
			failure = (failure == null) ? push.failure() : failure;
			this.report.checkServed(queue.get(0));
			for (int i = 0; i < queue.size(); i++) {
				JobDraft draft = queue.get(i);
				Admission admission = push.admissions()[i];
				if (admission != null) {
					draft.answer(admission, push.reached());
					this.report.answered(draft, admission);
				}
				else {
					draft.fail(push.outcomes()[i]);
					this.report.refused(draft, failure);
				}
			}
		}
		if (failure != null) {
			List<@Nullable EnqueueResult> results = new ArrayList<>(all.size());
			all.forEach((draft) -> results.add((draft.outcome() == Outcome.ANSWERED) ? draft.result() : null));
			throw new BulkEnqueueException(results, all.stream().map(JobDraft::outcome).toList(), failure);
		}
		List<EnqueueResult> results = new ArrayList<>(all.size());
		for (JobDraft draft : all) {
			results.add(draft.result());
		}
		return Collections.unmodifiableList(results);
	}

	/**
	 * Report drafts that will not be stored.
	 * @param reason what was thrown, or {@code null} if an interceptor stopped them
	 */
	void abandon(List<JobDraft> drafts, @Nullable Throwable reason) {
		drafts.forEach((draft) -> this.report.refused(draft, reason));
	}

	private Push push(List<JobDraft> drafts) {
		// All of a queue in the same way: two ways would bring them out of order.
		Durability most = Durability.STORED;
		for (JobDraft draft : drafts) {
			Durability wanted = draft.options().durability();
			most = (wanted.compareTo(most) > 0) ? wanted : most;
			stamp(draft);
		}
		// One time for all, read late: what is due at the same time stays in order, and
		// what took time until now makes nothing late.
		long now = this.clock.millis();
		List<NewJob> jobs = new ArrayList<>(drafts.size());
		for (JobDraft draft : drafts) {
			jobs.add(draft.toStore(now));
		}
		return this.store.enqueueAll(drafts.get(0).queue(), jobs, most);
	}

	private static Map<String, List<JobDraft>> byQueue(List<JobDraft> drafts) {
		Map<String, List<JobDraft>> queues = new LinkedHashMap<>();
		for (JobDraft draft : drafts) {
			// Those without a key, which have no order, do not go where the others go.
			String name = draft.isOrdered() ? draft.queue() + "#" : draft.queue();
			queues.computeIfAbsent(name, (queue) -> new ArrayList<>()).add(draft);
		}
		return queues;
	}

	/**
	 * Note how new the data has to be that a job sees: as new as now.
	 */
	private void stamp(JobDraft draft) {
		if (!draft.keepsConsistency()) {
			return;
		}
		StringBuilder positions = new StringBuilder();
		for (ConsistencySource source : this.sources) {
			String position = position(source);
			if (!position.isEmpty()) {
				positions.append(positions.isEmpty() ? "" : ";").append(source.name()).append('=').append(position);
			}
		}
		draft.see(positions.toString());
	}

	private static String position(ConsistencySource source) {
		try {
			String position = source.position();
			if (position == null || POSITION.matcher(position).matches()) {
				return (position != null) ? position : "";
			}
			logger.error("Consistency source '{}' returned the position '{}', which is not 1 to 64 of the characters "
					+ "A-Za-z0-9_.-; the job is stored without", source.name(), position);
		}
		catch (Throwable ex) {
			// The transaction may have committed, so the job must be stored all the same.
			logger.warn("Consistency source '{}' cannot tell its position, and the job is stored without",
					source.name(), ex);
		}
		return "";
	}

}

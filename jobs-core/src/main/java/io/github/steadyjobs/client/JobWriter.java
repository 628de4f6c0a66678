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
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.redis.NewJob;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores drafts and reports their results. Thread safe.
 */
final class JobWriter {

	private static final Pattern POSITION = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

	private static final Logger logger = LoggerFactory.getLogger(JobWriter.class);

	private final JobStorage store;

	private final List<ConsistencySource> sources;

	private final EnqueueReport report;

	private final Clock clock;

	private final Outbox outbox;

	JobWriter(JobStorage store, EnqueueReport report, JobClientSettings settings) {
		this.store = store;
		this.sources = settings.sources();
		this.report = report;
		this.clock = settings.clock();
		this.outbox = new Outbox(settings.outage(), (drafts) -> push(drafts, true), report, Thread::new);
	}

	Outbox outbox() {
		return this.outbox;
	}

	/**
	 * Store one draft, or keep it until Redis is available again, and return its result.
	 * @throws JobStoreException if Redis refused the call, is not reachable or did not
	 * answer, and the draft is not kept
	 */
	EnqueueResult store(JobDraft draft) {
		JobStoreException failure = pushAll(List.of(draft), false);
		if (failure != null) {
			throw failure;
		}
		return draft.result();
	}

	/** Return the stored form of a draft. */
	NewJob toStore(JobDraft draft) {
		stamp(draft);
		return draft.toStore(this.clock.millis());
	}

	/** Record and report the answer from Redis for a draft. */
	void answered(JobDraft draft, Admission admission, Durability reached) {
		draft.answer(admission, reached);
		this.report.answered(draft, admission);
		this.report.checkServed(draft);
	}

	/**
	 * Store drafts, queue by queue, and stop after a push has failed. Drafts that may
	 * wait are kept until Redis is available again.
	 * @param ready the drafts to store
	 * @param all all drafts, including the ready drafts, in the order of the requests
	 * @return the results of all drafts
	 * @throws BulkEnqueueException if not all drafts were stored or kept; the exception
	 * has the outcome of each draft
	 */
	List<EnqueueResult> storeAll(List<JobDraft> ready, List<JobDraft> all) {
		JobStoreException failure = pushAll(ready, false);
		if (failure != null) {
			throw partial(all, failure);
		}
		List<EnqueueResult> results = new ArrayList<>(all.size());
		for (JobDraft draft : all) {
			results.add(draft.result());
		}
		return Collections.unmodifiableList(results);
	}

	/**
	 * Store the drafts of a committed transaction. Jobs that Redis does not accept for
	 * now are kept and retried in the background.
	 * @throws JobStoreException if some drafts are neither stored nor kept; a
	 * {@link BulkEnqueueException} if there were several drafts
	 */
	void storeCommitted(List<JobDraft> ready) {
		JobStoreException failure = pushAll(ready, true);
		if (failure != null) {
			throw (ready.size() == 1) ? failure : partial(ready, failure);
		}
	}

	private static BulkEnqueueException partial(List<JobDraft> all, JobStoreException failure) {
		List<@Nullable EnqueueResult> results = new ArrayList<>(all.size());
		all.forEach((draft) -> results.add((draft.outcome() == Outcome.ANSWERED) ? draft.result() : null));
		return new BulkEnqueueException(results, all.stream().map(JobDraft::outcome).toList(), failure);
	}

	/**
	 * Push drafts lane by lane.
	 * @param committed whether the jobs were already reported to their callers as
	 * accepted
	 * @return the reason why some drafts are neither stored nor kept; {@code null} if
	 * there are no such drafts
	 */
	private @Nullable JobStoreException pushAll(List<JobDraft> ready, boolean committed) {
		Delivery delivery = new Delivery(committed);
		byLane(ready).forEach(delivery::push);
		return delivery.end();
	}

	/**
	 * Report drafts that will not be stored.
	 * @param reason the exception, or {@code null} if an interceptor stopped them
	 */
	void abandon(List<JobDraft> drafts, @Nullable Throwable reason) {
		drafts.forEach((draft) -> this.report.refused(draft, reason));
	}

	private Push push(List<JobDraft> drafts, boolean keep) {
		// All jobs of a queue in this call are stored with the same durability, because
		// calls with different durability could overtake each other.
		Durability most = Durability.STORED;
		for (JobDraft draft : drafts) {
			Durability wanted = draft.options().durability();
			most = (wanted.compareTo(most) > 0) ? wanted : most;
			stamp(draft);
		}
		// The time is read once, so that jobs that are due at the same time keep their
		// relative order. It is read late, so that the time spent so far does not delay
		// any job.
		long now = this.clock.millis();
		List<NewJob> jobs = new ArrayList<>(drafts.size());
		for (JobDraft draft : drafts) {
			jobs.add(draft.toStore(now));
		}
		String queue = drafts.get(0).queue();
		return keep ? this.store.enqueueOrKeep(queue, jobs, most) : this.store.enqueueAll(queue, jobs, most);
	}

	private static Map<String, List<JobDraft>> byLane(List<JobDraft> drafts) {
		if (drafts.size() == 1) {
			return Map.of(drafts.get(0).lane(), drafts);
		}
		Map<String, List<JobDraft>> lanes = new LinkedHashMap<>();
		for (JobDraft draft : drafts) {
			lanes.computeIfAbsent(draft.lane(), (lane) -> new ArrayList<>()).add(draft);
		}
		return lanes;
	}

	/** Record the current positions of the data: a run must see data at least as new. */
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
			// The transaction may have committed, so the job must still be stored.
			logger.warn("Consistency source '{}' cannot tell its position, and the job is stored without",
					source.name(), ex);
		}
		return "";
	}

	/** Stores drafts of several lanes. Used by one thread. */
	private final class Delivery {

		private final boolean keep;

		private final boolean committed;

		private final List<JobDraft> late = new ArrayList<>(0);

		private @Nullable JobStoreException failure;

		private @Nullable JobStoreException lost;

		Delivery(boolean committed) {
			this.keep = JobWriter.this.outbox.room(committed) > 0;
			this.committed = committed;
		}

		void push(String lane, List<JobDraft> drafts) {
			Push push = (this.failure == null && !waits(lane, drafts)) ? JobWriter.this.push(drafts, this.keep)
					: new Push(drafts.size());
			this.failure = (this.failure == null && push.isBroken()) ? push.failure() : this.failure;
			JobWriter.this.report.checkServed(drafts.get(0));
			List<JobDraft> stored = settle(drafts, push);
			if (this.committed) {
				JobWriter.this.report.checkDurable(stored);
			}
		}

		/**
		 * Return whether drafts must wait, so that they do not overtake waiting drafts of
		 * their lane.
		 */
		private boolean waits(String lane, List<JobDraft> drafts) {
			Outbox outbox = JobWriter.this.outbox;
			return this.keep && outbox.isBehind(lane)
					&& (this.committed || drafts.stream().allMatch(outbox::mayBuffer));
		}

		private List<JobDraft> settle(List<JobDraft> drafts, Push push) {
			List<JobDraft> stored = new ArrayList<>(drafts.size());
			for (int i = 0; i < drafts.size(); i++) {
				JobDraft draft = drafts.get(i);
				Admission admission = push.admissions()[i];
				if (admission != null) {
					draft.answer(admission, push.reached());
					JobWriter.this.report.answered(draft, admission);
					stored.add(draft);
				}
				else {
					draft.fail(push.outcomes()[i], push.unanswered(i));
					JobStoreException reason = push.reason(i);
					failed(draft, (reason != null) ? reason : this.failure);
				}
			}
			return stored;
		}

		private void failed(JobDraft draft, @Nullable JobStoreException reason) {
			if (this.keep && JobWriter.this.outbox.mayKeep(draft, reason, this.committed)) {
				this.late.add(draft);
			}
			else {
				lost(draft, reason);
			}
		}

		/**
		 * Hand over to the outbox the jobs that are to be stored later.
		 * @return why some drafts are lost, or {@code null} if no draft is lost
		 */
		@Nullable JobStoreException end() {
			Outbox outbox = JobWriter.this.outbox;
			if (!this.late.isEmpty() && !outbox.offer(this.late, this.committed, this.failure)) {
				JobStoreException full = outbox.full(this.failure, this.committed);
				this.late.forEach((draft) -> lost(draft, full));
			}
			return this.lost;
		}

		private void lost(JobDraft draft, @Nullable JobStoreException reason) {
			// A full key concerns only its own payloads, so any other reason is more
			// important.
			this.lost = (this.lost == null || this.lost.reason() == Reason.KEY_FULL) ? reason : this.lost;
			if (this.committed && reason != null) {
				JobWriter.this.report.lost(draft, reason);
			}
			else {
				JobWriter.this.report.refused(draft, reason);
			}
		}

	}

}

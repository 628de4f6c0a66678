package io.github.steadyjobs.client;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.BulkEnqueueException;
import io.github.steadyjobs.BulkEnqueueException.Outcome;
import io.github.steadyjobs.Durability;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.Admission;
import io.github.steadyjobs.redis.JobStore;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.Push;
import org.jspecify.annotations.Nullable;

/**
 * Stores jobs that are ready to be stored. Thread safe.
 */
final class JobWriter {

	private final JobStore store;

	private final Positions positions;

	private final EnqueueReport report;

	private final Clock clock;

	private final UnservedQueues unserved;

	JobWriter(JobStore store, Positions positions, EnqueueReport report, Clock clock, UnservedQueues unserved) {
		this.store = store;
		this.positions = positions;
		this.report = report;
		this.clock = clock;
		this.unserved = unserved;
	}

	EnqueueResult store(PreparedJob job) {
		try {
			NewJob stamped = this.positions.stamp(job).toStore(this.clock.millis());
			JobStore.Taken taken = this.store.enqueue(job.queue(), stamped, job.options().durability());
			this.report.answered(job, taken.admission());
			this.unserved.used(job);
			return job.taken(taken.admission(), taken.reached());
		}
		catch (JobStoreException ex) {
			this.report.failed(job);
			throw ex;
		}
	}

	/**
	 * Give jobs up that are not to be stored.
	 */
	void abandon(List<PreparedJob> jobs) {
		jobs.forEach(this.report::failed);
	}

	/**
	 * Store many jobs, queue by queue, and no more of them once one push has failed.
	 * @param results what is true when all are stored; these and maybe others
	 * @return the results, with what durability the jobs have reached and which of them
	 * are duplicates
	 * @throws BulkEnqueueException if not all were; it has the results that are true
	 */
	List<EnqueueResult> storeAll(List<PreparedJob> jobs, List<EnqueueResult> results) {
		JobStoreException failure = null;
		Map<String, Outcome> unconfirmed = new HashMap<>();
		Map<String, EnqueueResult> better = new HashMap<>();
		for (List<PreparedJob> queue : byQueue(jobs).values()) {
			Push push = (failure == null) ? push(queue) : new Push(queue.size());
			failure = (failure == null) ? push.failure() : failure;
			this.unserved.used(queue.get(0));
			for (int i = 0; i < queue.size(); i++) {
				PreparedJob job = queue.get(i);
				Admission admission = push.admissions()[i];
				if (admission == null) {
					this.report.failed(job);
					unconfirmed.put(job.job().id(), push.outcomes()[i]);
					continue;
				}
				this.report.answered(job, admission);
				if (push.reached() != Durability.STORED || admission.kind() != Admission.Kind.STORED) {
					better.put(job.job().id(), job.taken(admission, push.reached()));
				}
			}
		}
		if (failure != null) {
			List<Outcome> outcomes = results.stream()
				.map((result) -> unconfirmed.getOrDefault(result.id(), Outcome.ANSWERED))
				.toList();
			throw new BulkEnqueueException(replaced(results, better, unconfirmed.keySet()), outcomes, failure);
		}
		return better.isEmpty() ? results : replaced(results, better);
	}

	private Push push(List<PreparedJob> jobs) {
		// All of a queue in the same way, as two would bring them out of order.
		Durability most = jobs.stream()
			.map((job) -> job.options().durability())
			.max(Durability::compareTo)
			.orElseThrow();
		List<PreparedJob> stamped = jobs.stream().map(this.positions::stamp).toList();
		// One time for all, read late: what is due at the same time stays in order, and
		// what took time until now makes nothing late.
		long now = this.clock.millis();
		return this.store.enqueueAll(jobs.get(0).queue(), stamped.stream().map((job) -> job.toStore(now)).toList(),
				most);
	}

	private static Map<String, List<PreparedJob>> byQueue(List<PreparedJob> jobs) {
		Map<String, List<PreparedJob>> queues = new LinkedHashMap<>();
		for (PreparedJob job : jobs) {
			queues.computeIfAbsent(job.queue(), (queue) -> new ArrayList<>()).add(job);
		}
		return queues;
	}

	private static List<EnqueueResult> replaced(List<EnqueueResult> results, Map<String, EnqueueResult> better) {
		return results.stream().map((result) -> better.getOrDefault(result.id(), result)).toList();
	}

	private static List<@Nullable EnqueueResult> replaced(List<EnqueueResult> results,
			Map<String, EnqueueResult> better, Set<String> unconfirmed) {
		List<@Nullable EnqueueResult> confirmed = new ArrayList<>(results.size());
		for (EnqueueResult result : results) {
			confirmed.add(unconfirmed.contains(result.id()) ? null : better.getOrDefault(result.id(), result));
		}
		return confirmed;
	}

}

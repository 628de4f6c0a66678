package io.github.steadyjobs.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.BulkEnqueueException;
import io.github.steadyjobs.Durability;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.Admission;
import io.github.steadyjobs.redis.JobStore;
import org.jspecify.annotations.Nullable;

/**
 * Stores jobs that are ready to be stored. Thread safe.
 */
final class JobWriter {

	private final JobStore store;

	private final Positions positions;

	private final DeduplicationReport report;

	private final UnservedQueues unserved;

	JobWriter(JobStore store, Positions positions, DeduplicationReport report, UnservedQueues unserved) {
		this.store = store;
		this.positions = positions;
		this.report = report;
		this.unserved = unserved;
	}

	EnqueueResult store(PreparedJob job) {
		JobStore.Taken taken = this.store.enqueue(job.queue(), this.positions.stamp(job), job.options().durability());
		this.unserved.used(job);
		return taken(job, taken.admission(), taken.reached());
	}

	private EnqueueResult taken(PreparedJob job, Admission admission, Durability reached) {
		this.report.tell(job, admission);
		return job.taken(admission, reached);
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
		Set<String> unconfirmed = new HashSet<>();
		Map<String, EnqueueResult> better = new HashMap<>();
		for (Map.Entry<String, List<PreparedJob>> queue : byQueue(jobs).entrySet()) {
			@Nullable Admission[] admissions = new Admission[queue.getValue().size()];
			Durability reached = Durability.STORED;
			if (failure == null) {
				JobStore.Push push = push(queue.getKey(), queue.getValue());
				admissions = push.admissions();
				reached = push.reached();
				failure = push.failure();
				this.unserved.used(queue.getValue().get(0));
			}
			for (int i = 0; i < admissions.length; i++) {
				PreparedJob job = queue.getValue().get(i);
				Admission admission = admissions[i];
				if (admission == null) {
					unconfirmed.add(job.job().id());
				}
				else if (reached != Durability.STORED || admission.kind() != Admission.Kind.STORED) {
					better.put(job.job().id(), taken(job, admission, reached));
				}
			}
		}
		if (failure != null) {
			throw new BulkEnqueueException(replaced(results, better, unconfirmed), failure);
		}
		return better.isEmpty() ? results : replaced(results, better);
	}

	private JobStore.Push push(String queue, List<PreparedJob> jobs) {
		// All of a queue in the same way, as two would bring them out of order.
		Durability most = jobs.stream()
			.map((job) -> job.options().durability())
			.max(Durability::compareTo)
			.orElseThrow();
		return this.store.enqueueAll(queue, jobs.stream().map(this.positions::stamp).toList(), most);
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

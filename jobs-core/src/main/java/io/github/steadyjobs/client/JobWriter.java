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
import io.github.steadyjobs.redis.JobStore;
import io.github.steadyjobs.redis.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * Stores jobs that are ready to be stored. Thread safe.
 */
final class JobWriter {

	private final JobStore store;

	JobWriter(JobStore store) {
		this.store = store;
	}

	EnqueueResult store(PreparedJob job) {
		return job.stored(this.store.enqueue(job.queue(), job.job(), job.durability()));
	}

	/**
	 * Store many jobs, queue by queue, and no more of them once one push has failed.
	 * @param results what is true when all are stored; these and maybe others
	 * @return the results, with what durability the jobs have reached
	 * @throws BulkEnqueueException if not all were; it has the results that are true
	 */
	List<EnqueueResult> storeAll(List<PreparedJob> jobs, List<EnqueueResult> results) {
		JobStoreException failure = null;
		Set<String> unconfirmed = new HashSet<>();
		Map<String, EnqueueResult> better = new HashMap<>();
		for (Map.Entry<String, List<PreparedJob>> queue : byQueue(jobs).entrySet()) {
			boolean[] stored = new boolean[queue.getValue().size()];
			if (failure == null) {
				JobStore.Push push = push(queue.getKey(), queue.getValue());
				stored = push.stored();
				failure = push.failure();
				if (push.reached() != Durability.STORED) {
					queue.getValue().forEach((job) -> better.put(job.job().id(), job.stored(push.reached())));
				}
			}
			if (failure != null) {
				addUnconfirmed(queue.getValue(), stored, unconfirmed);
			}
		}
		if (failure != null) {
			throw new BulkEnqueueException(replaced(results, better, unconfirmed), failure);
		}
		return better.isEmpty() ? results : replaced(results, better);
	}

	private JobStore.Push push(String queue, List<PreparedJob> jobs) {
		// All of a queue in the same way, as two would bring them out of order.
		Durability most = jobs.stream().map(PreparedJob::durability).max(Durability::compareTo).orElseThrow();
		List<NewJob> all = jobs.stream().map(PreparedJob::job).toList();
		return this.store.enqueueAll(queue, all, most);
	}

	private static Map<String, List<PreparedJob>> byQueue(List<PreparedJob> jobs) {
		Map<String, List<PreparedJob>> queues = new LinkedHashMap<>();
		for (PreparedJob job : jobs) {
			queues.computeIfAbsent(job.queue(), (queue) -> new ArrayList<>()).add(job);
		}
		return queues;
	}

	private static void addUnconfirmed(List<PreparedJob> jobs, boolean[] stored, Set<String> unconfirmed) {
		for (int i = 0; i < stored.length; i++) {
			if (!stored[i]) {
				unconfirmed.add(jobs.get(i).job().id());
			}
		}
	}

	private static List<EnqueueResult> replaced(List<EnqueueResult> results, Map<String, EnqueueResult> better) {
		return results.stream().map((result) -> better.getOrDefault(result.id(), result)).toList();
	}

	private static List<@Nullable EnqueueResult> replaced(List<EnqueueResult> results,
			Map<String, EnqueueResult> better, Set<String> unconfirmed) {
		List<@Nullable EnqueueResult> confirmed = new ArrayList<>(results.size());
		for (EnqueueResult result : replaced(results, better)) {
			confirmed.add(unconfirmed.contains(result.id()) ? null : result);
		}
		return confirmed;
	}

}

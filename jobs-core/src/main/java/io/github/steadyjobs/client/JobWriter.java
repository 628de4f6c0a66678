package io.github.steadyjobs.client;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.BulkEnqueueException;
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

	void store(PreparedJob job) {
		this.store.enqueue(job.queue(), job.job());
	}

	/**
	 * Store many jobs, queue by queue, and no more of them once one push has failed.
	 * @param results what is true when all are stored; these and maybe others
	 * @throws BulkEnqueueException if not all were; it has the results that are true
	 */
	void storeAll(List<PreparedJob> jobs, List<? extends EnqueueResult> results) {
		JobStoreException failure = null;
		Set<String> unconfirmed = new HashSet<>();
		for (Map.Entry<String, List<NewJob>> queue : byQueue(jobs).entrySet()) {
			boolean[] stored = new boolean[queue.getValue().size()];
			if (failure == null) {
				JobStore.Push push = this.store.enqueueAll(queue.getKey(), queue.getValue());
				stored = push.stored();
				failure = push.failure();
			}
			if (failure != null) {
				addUnconfirmed(queue.getValue(), stored, unconfirmed);
			}
		}
		if (failure != null) {
			throw new BulkEnqueueException(without(unconfirmed, results), failure);
		}
	}

	private static Map<String, List<NewJob>> byQueue(List<PreparedJob> jobs) {
		Map<String, List<NewJob>> queues = new LinkedHashMap<>();
		for (PreparedJob job : jobs) {
			queues.computeIfAbsent(job.queue(), (queue) -> new ArrayList<>()).add(job.job());
		}
		return queues;
	}

	private static void addUnconfirmed(List<NewJob> jobs, boolean[] stored, Set<String> unconfirmed) {
		for (int i = 0; i < stored.length; i++) {
			if (!stored[i]) {
				unconfirmed.add(jobs.get(i).id());
			}
		}
	}

	private static List<@Nullable EnqueueResult> without(Set<String> unconfirmed,
			List<? extends EnqueueResult> results) {
		List<@Nullable EnqueueResult> confirmed = new ArrayList<>(results.size());
		for (EnqueueResult result : results) {
			confirmed.add(unconfirmed.contains(result.id()) ? null : result);
		}
		return confirmed;
	}

}

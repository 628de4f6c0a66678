package io.github.steadyjobs.client;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.JobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says of each queue once that jobs were put into it and no process serves it: its name
 * may be misspelt. Nobody waits for that. Thread safe.
 */
final class UnservedQueues {

	/**
	 * Names of queues may be made of data, and must not fill the memory.
	 */
	private static final int MOST = 1000;

	private static final Logger logger = LoggerFactory.getLogger(UnservedQueues.class);

	private final JobStore store;

	private final Predicate<String> doubtful;

	private final Set<String> asked = ConcurrentHashMap.newKeySet();

	UnservedQueues(JobStore store, Predicate<String> doubtful) {
		this.store = store;
		this.doubtful = doubtful;
	}

	void used(PreparedJob job) {
		String queue = job.queue();
		if (this.asked.contains(queue) || this.asked.size() >= MOST || !this.doubtful.test(queue)
				|| !this.asked.add(queue)) {
			return;
		}
		try {
			this.store.isServed(queue).whenComplete((served, failure) -> answered(job, served, failure));
		}
		catch (JobStoreException ex) {
			answered(job, null, ex);
		}
	}

	private void answered(PreparedJob job, @Nullable Boolean served, @Nullable Throwable failure) {
		if (failure != null) {
			logger.debug("Whether a process serves queue {} could not be asked", job.queue(), failure);
			this.asked.remove(job.queue());
		}
		else if (Boolean.FALSE.equals(served)) {
			logger.warn("Job '{}' was put into the queue '{}', which no process serves right now, so it waits until "
					+ "one does. Correct the name of the queue, or add it to 'steadyjobs.queues' or a capsule of a "
					+ "process that has the job", job.name(), job.queue());
		}
	}

}

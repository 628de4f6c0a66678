package io.github.steadyjobs.client;

import java.util.List;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * Stores jobs with one bulk push, for tests that check only its failure.
 */
public final class Pushes {

	private Pushes() {
	}

	/**
	 * Store jobs.
	 * @return the failure if not all jobs were stored, otherwise {@code null}
	 */
	public static @Nullable JobStoreException failure(JobStore store, String queue, List<NewJob> jobs) {
		return store.enqueueAll(queue, jobs, Durability.STORED).failure();
	}

}

package io.github.steadyjobs.client;

import java.util.List;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * Bulk pushes, for tests of what happens to their jobs.
 */
public final class Pushes {

	private Pushes() {
	}

	/**
	 * Store jobs.
	 * @return why not all of them are stored, or {@code null} if they are
	 */
	public static @Nullable JobStoreException failure(JobStore store, String queue, List<NewJob> jobs) {
		return store.enqueueAll(queue, jobs, Durability.STORED).failure();
	}

}

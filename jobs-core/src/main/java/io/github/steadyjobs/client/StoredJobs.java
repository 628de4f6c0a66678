package io.github.steadyjobs.client;

import java.util.Optional;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.redis.JobStore;
import io.github.steadyjobs.redis.PayloadCodec;

/**
 * Looks at and cancels jobs that are stored. Thread safe.
 */
final class StoredJobs {

	private final JobStore store;

	private final PayloadCodec codec;

	StoredJobs(JobStore store, PayloadCodec codec) {
		this.store = store;
		this.codec = codec;
	}

	Optional<JobPayload> find(String id) {
		// No round trip for what no job can be called.
		return JobIds.isId(id) ? this.store.find(id).map((bytes) -> read(id, bytes)) : Optional.empty();
	}

	boolean cancel(String id) {
		return JobIds.isId(id) && this.store.cancel(id);
	}

	private JobPayload read(String id, byte[] bytes) {
		try {
			return this.codec.read(bytes);
		}
		catch (InvalidJobException ex) {
			throw new InvalidJobException(
					"Job %s is stored, and what is stored cannot be read. %s".formatted(id, ex.getMessage()), ex);
		}
	}

}

package io.github.steadyjobs;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * The result of a request to enqueue a job.
 */
public sealed interface EnqueueResult {

	/**
	 * Return the id of the job.
	 * @return 24 lower-case hex digits
	 */
	String id();

	/**
	 * Return whether the job was accepted, that is, is stored or will be stored.
	 * @return {@code false} if an interceptor stopped the job, or if the job was dropped
	 * as a duplicate
	 */
	default boolean accepted() {
		return !(this instanceof Duplicate || this instanceof Stopped);
	}

	/**
	 * Return how safely the job is stored, as far as Redis has confirmed it.
	 * @return the level reached, which may be lower than the level that the request asked
	 * for; {@code null} if the job was not accepted, or is not stored yet because it is
	 * waiting for the commit or for Redis
	 */
	default @Nullable Durability durability() {
		return null;
	}

	/**
	 * Return this result if the job was accepted.
	 * @throws JobNotAcceptedException if the job was not accepted
	 */
	default EnqueueResult orElseThrow() {
		if (!accepted()) {
			throw new JobNotAcceptedException(this);
		}
		return this;
	}

	/**
	 * Return this result if the job was accepted and is stored safely enough.
	 * @param wanted the minimum level, which the request must ask for as well
	 * @throws JobNotAcceptedException if the job was not accepted
	 * @throws JobNotDurableException if the job has reached a lower level, or is not
	 * stored yet, because it waits for the commit or for Redis. It was still accepted:
	 * enqueueing it again makes it run twice.
	 */
	default EnqueueResult orElseThrow(Durability wanted) {
		Assert.notNull(wanted, "'wanted' must not be null; pass the level to insist on");
		orElseThrow();
		Durability reached = durability();
		if (reached == null || reached.compareTo(wanted) < 0) {
			throw new JobNotDurableException(this, wanted);
		}
		return this;
	}

	/**
	 * The job is stored and can run now.
	 *
	 * @param id the id of the job
	 * @param durability how safely the job is stored
	 */
	record Enqueued(String id, Durability durability) implements EnqueueResult {

		public Enqueued {
			Assert.notNull(id, "'id' must not be null");
			Assert.notNull(durability, "'durability' must not be null");
		}

		/** Create a result for a job stored in Redis, but possibly not on a replica. */
		public Enqueued(String id) {
			this(id, Durability.STORED);
		}

	}

	/**
	 * The job is stored and runs later.
	 *
	 * @param id the id of the job
	 * @param at when the job is due, to the millisecond, by this process's clock
	 * @param durability how safely the job is stored
	 */
	record Scheduled(String id, Instant at, Durability durability) implements EnqueueResult {

		public Scheduled {
			Assert.notNull(id, "'id' must not be null");
			Assert.notNull(at, "'at' must not be null");
			Assert.notNull(durability, "'durability' must not be null");
		}

		/**
		 * Create a result for a job that is stored in Redis, but possibly not on a
		 * replica.
		 * @param at when the job is due
		 */
		public Scheduled(String id, Instant at) {
			this(id, at, Durability.STORED);
		}

	}

	/**
	 * The payload was added to the job that collects the payloads of its key. That job is
	 * waiting, or is running and will run again. The due time of the payload depends on
	 * the payloads before it.
	 *
	 * @param id the id of the job, which is the same for all payloads of a key
	 * @param durability how safely the job is stored
	 */
	record Merged(String id, Durability durability) implements EnqueueResult {

		public Merged {
			Assert.notNull(id, "'id' must not be null");
			Assert.notNull(durability, "'durability' must not be null");
		}

	}

	/**
	 * The job has been checked and will be stored when the current transaction commits.
	 *
	 * @param id the id that the job will have
	 */
	record Deferred(String id) implements EnqueueResult {

		public Deferred {
			Assert.notNull(id, "'id' must not be null");
		}

	}

	/**
	 * Redis is unavailable, and the job waits in the memory of this process until it can
	 * be stored. It is lost if the process dies before then. Returned only if
	 * {@code steadyjobs.client.buffer} is set.
	 *
	 * @param id the id that the job will have
	 */
	record Buffered(String id) implements EnqueueResult {

		public Buffered {
			Assert.notNull(id, "'id' must not be null");
		}

	}

	/**
	 * The job is {@link Idempotent}, and was dropped because an equal job exists. Nothing
	 * was stored unless {@code runsOnceMore} is set.
	 *
	 * @param id the id of the existing job
	 * @param runsOnceMore whether the existing job is running and the duplicate will run
	 * after it, unless a newer duplicate takes its place
	 */
	record Duplicate(String id, boolean runsOnceMore) implements EnqueueResult {

		public Duplicate {
			Assert.notNull(id, "'id' must not be null");
		}

	}

	/**
	 * An interceptor stopped the job. Nothing was stored.
	 *
	 * @param id the id that the job would have had
	 */
	record Stopped(String id) implements EnqueueResult {

		public Stopped {
			Assert.notNull(id, "'id' must not be null");
		}

	}

}

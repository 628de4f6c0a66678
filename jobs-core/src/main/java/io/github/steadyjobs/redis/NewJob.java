package io.github.steadyjobs.redis;

import org.jspecify.annotations.Nullable;

/**
 * A job to be stored.
 *
 * @param id the id of the job
 * @param payload the job as JSON in UTF-8
 * @param delay milliseconds until the job is due, from when it is handed to the store, or
 * {@code null} to make it ready at once
 * @param lock the lock that it asks for, followed by a space and how new the data that it
 * sees must be, as {@code source=position} joined by {@code ;}, if it asks for that;
 * empty for none
 * @param ordering which key the job is for, or {@code null} if it is not an ordered one
 * @param expiry until when the job may begin, or {@code null} for no limit, or for the
 * limit in its payload
 */
public record NewJob(String id, byte[] payload, @Nullable Long delay, String lock, @Nullable Ordering ordering,
		@Nullable Expiry expiry) {

	/**
	 * Create a job without lock and order, whose expiry, if any, is already in its
	 * payload.
	 */
	public NewJob(String id, byte[] payload, @Nullable Long delay) {
		this(id, payload, delay, "", null, null);
	}

	/**
	 * Until when a job may begin. Redis converts it to a time by its own clock, and
	 * writes that into the payload.
	 *
	 * @param delay milliseconds until then, from when the job is handed to the store
	 * @param offset the offset in the payload of the number that is replaced by the time
	 */
	public record Expiry(long delay, int offset) {

		/**
		 * Return the argument of scripts.
		 * @param passed milliseconds since the job was handed to the store
		 */
		public String after(long passed) {
			return (this.delay - passed) + " " + this.offset;
		}

	}

	/**
	 * What orders a job: jobs of one key run one after another.
	 *
	 * @param key the key
	 * @param shards the number of shards for the queue, unless it has another number
	 * already
	 */
	public record Ordering(String key, int shards) {

	}

}

package io.github.steadyjobs.redis;

import org.jspecify.annotations.Nullable;

/**
 * A job to be stored.
 *
 * @param id the id of the job
 * @param payload the job as JSON in UTF-8
 * @param delay the milliseconds until the job is due, counted from when it is handed to
 * the store, or {@code null} to make it ready at once
 * @param lock the lock that the job asks for, or empty if it asks for no lock. If the job
 * needs data that is recent enough, the lock is followed by a space and the required
 * position of each source, as {@code source=position} joined by {@code ;}
 * @param ordering the ordering of the job, or {@code null} if the job is not ordered
 * @param expiry until when the job may begin, or {@code null} if it does not expire or
 * its payload already contains the expiry
 */
public record NewJob(String id, byte[] payload, @Nullable Long delay, String lock, @Nullable Ordering ordering,
		@Nullable Expiry expiry) {

	/**
	 * Create a job that has no lock and is not ordered. If the job expires, its payload
	 * already contains the expiry.
	 */
	public NewJob(String id, byte[] payload, @Nullable Long delay) {
		this(id, payload, delay, "", null, null);
	}

	/**
	 * The time until which a job may begin. Redis computes the time by its own clock and
	 * writes it into the payload.
	 *
	 * @param delay the milliseconds until that time, counted from when the job is handed
	 * to the store
	 * @param offset the offset in the payload of the number that Redis replaces with the
	 * time
	 */
	public record Expiry(long delay, int offset) {

		/**
		 * Return the expiry as an argument of scripts.
		 * @param passed the milliseconds since the job was handed to the store
		 */
		public String after(long passed) {
			return (this.delay - passed) + " " + this.offset;
		}

	}

	/**
	 * The ordering of a job: jobs with the same key run one after another.
	 *
	 * @param key the key
	 * @param shards the number of shards to create if the queue has no shards yet
	 */
	public record Ordering(String key, int shards) {

	}

}

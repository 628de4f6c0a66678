package io.github.steadyjobs.redis;

import java.util.Locale;

/**
 * The keys of a queue, by what they hold: the one list of their names and types.
 */
public enum QueuePart {

	/**
	 * Ids that wait for a worker.
	 */
	READY("list"),

	/**
	 * Payloads by id.
	 */
	PAYLOADS("hash"),

	/**
	 * Ids of delayed jobs by due time.
	 */
	SCHEDULED("zset"),

	/**
	 * Ids of failed jobs by due time.
	 */
	RETRIES("zset"),

	/**
	 * Ids of dead jobs by time of death.
	 */
	DEAD("zset"),

	/**
	 * Tokens of claims by id.
	 */
	WORKING("hash"),

	/**
	 * Last claims by capsule.
	 */
	CLAIMS("hash"),

	/**
	 * Heartbeats by process.
	 */
	BEATS("hash"),

	/**
	 * Reasons to wait by id.
	 */
	PARKED("hash"),

	/**
	 * Ids whose payload is gone and which are dropped when next met.
	 */
	CANCELLED("set"),

	/**
	 * Last enqueue calls by producer and slot.
	 */
	CALLS("hash"),

	/**
	 * Times since when jobs are ready, by id.
	 */
	SINCE("hash"),

	/**
	 * Tokens that wake workers.
	 */
	WAKE("list"),

	/**
	 * Totals.
	 */
	STATS("hash"),

	/**
	 * What is known of the queue itself.
	 */
	META("hash"),

	/**
	 * Ids whose process died with them.
	 */
	SUSPECTS("list"),

	/**
	 * How often processes died, by id.
	 */
	CRASHES("hash"),

	/**
	 * Which job keeps others from being enqueued, by what is locked.
	 */
	LOCKS("hash"),

	/**
	 * What is locked, by id.
	 */
	LOCKOF("hash"),

	/**
	 * Duplicates that run once more, by what is locked.
	 */
	AGAIN("hash"),

	/**
	 * What is locked, with the ids of the jobs that run or wait for it.
	 */
	MUTEXES("zset"),

	/**
	 * What is locked for a time, by the end of that.
	 */
	WINDOWS("zset");

	private final String type;

	QueuePart(String type) {
		this.type = type;
	}

	/**
	 * Return the last part of the key.
	 * @return the name, such as "ready"
	 */
	public String text() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Return the key with a name.
	 * @param text the last part of the key, such as "ready"
	 * @return the key
	 * @throws IllegalArgumentException if there is none
	 */
	public static QueuePart of(String text) {
		return valueOf(text.toUpperCase(Locale.ROOT));
	}

	/**
	 * Return the type of the key's value, as Redis calls it.
	 * @return the type, such as "list"
	 */
	String type() {
		return this.type;
	}

}

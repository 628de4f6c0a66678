package io.github.steadyjobs.redis;

import java.util.Locale;
import java.util.function.Function;

/**
 * The keys of a queue, by what they hold.
 */
public enum QueuePart {

	/**
	 * Ids that wait for a worker.
	 */
	READY("list", QueueKeys::ready),

	/**
	 * Payloads by id.
	 */
	PAYLOADS("hash", QueueKeys::payloads),

	/**
	 * Ids of delayed jobs by due time.
	 */
	SCHEDULED("zset", QueueKeys::scheduled),

	/**
	 * Ids of failed jobs by due time.
	 */
	RETRIES("zset", QueueKeys::retries),

	/**
	 * Ids of dead jobs by time of death.
	 */
	DEAD("zset", QueueKeys::dead),

	/**
	 * Tokens of claims by id.
	 */
	WORKING("hash", QueueKeys::working),

	/**
	 * Last claims by capsule.
	 */
	CLAIMS("hash", QueueKeys::claims),

	/**
	 * Heartbeats by process.
	 */
	BEATS("hash", QueueKeys::beats),

	/**
	 * Reasons to wait by id.
	 */
	PARKED("hash", QueueKeys::parked),

	/**
	 * Ids whose payload is gone and which are dropped when next met.
	 */
	CANCELLED("set", QueueKeys::cancelled),

	/**
	 * Last enqueue calls by producer and slot.
	 */
	CALLS("hash", QueueKeys::calls),

	/**
	 * Times since when jobs are ready, by id.
	 */
	SINCE("hash", QueueKeys::since),

	/**
	 * Tokens that wake workers.
	 */
	WAKE("list", QueueKeys::wake),

	/**
	 * Totals.
	 */
	STATS("hash", QueueKeys::stats),

	/**
	 * What is known of the queue itself.
	 */
	META("hash", QueueKeys::meta),

	/**
	 * Ids whose process died with them.
	 */
	SUSPECTS("list", QueueKeys::suspects),

	/**
	 * How often processes died, by id.
	 */
	CRASHES("hash", QueueKeys::crashes),

	/**
	 * Which job keeps others from being enqueued, by what is locked.
	 */
	LOCKS("hash", QueueKeys::locks),

	/**
	 * What is locked, by id.
	 */
	LOCKOF("hash", QueueKeys::lockof),

	/**
	 * Duplicates that run once more, by what is locked.
	 */
	AGAIN("hash", QueueKeys::again),

	/**
	 * What is locked, with the ids of the jobs that run or wait for it.
	 */
	MUTEXES("zset", QueueKeys::mutexes),

	/**
	 * What is locked for a time, by the end of that.
	 */
	WINDOWS("zset", QueueKeys::windows);

	private final String type;

	private final Function<QueueKeys, byte[]> key;

	QueuePart(String type, Function<QueueKeys, byte[]> key) {
		this.type = type;
		this.key = key;
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

	byte[] key(QueueKeys keys) {
		return this.key.apply(keys);
	}

}

package io.github.steadyjobs.redis;

import java.util.Locale;

/**
 * The keys of a queue, by the last part of their names, and the types of their values:
 * the only list of both. The contents of each key are described in
 * {@code docs/wire-format.md}, which a test compares with this list.
 */
public enum QueuePart {

	READY("list"), PAYLOADS("hash"), SCHEDULED("zset"), RETRIES("zset"), DEAD("zset"), WORKING("hash"), CLAIMS("hash"),
	BEATS("hash"), PARKED("hash"), CANCELLED("set"), CALLS("hash"), SINCE("hash"), WAKE("list"), STATS("hash"),
	META("hash"), SUSPECTS("list"), CRASHES("hash"), LOCKS("hash"), LOCKOF("hash"), AGAIN("hash"), MUTEXES("zset"),
	WINDOWS("zset"), GATHERED("hash"), TICKS("zset"), TICKED("hash");

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
	 * @throws IllegalArgumentException if there is none
	 */
	public static QueuePart of(String text) {
		return valueOf(text.toUpperCase(Locale.ROOT));
	}

	/** Return the type of the key's value, as Redis calls it. */
	String type() {
		return this.type;
	}

}

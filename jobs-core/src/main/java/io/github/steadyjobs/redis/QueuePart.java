package io.github.steadyjobs.redis;

import java.util.Locale;

/**
 * The keys of a queue, by the last part of their names, with the types of their values.
 * There is no other list of these keys. {@code docs/wire-format.md} describes the
 * contents of each key, and a test compares that file with this list.
 */
public enum QueuePart {

	READY("list"), PAYLOADS("hash"), SCHEDULED("zset"), RETRIES("zset"), DEAD("zset"), WORKING("hash"), CLAIMS("hash"),
	BEATS("hash"), PARKED("hash"), CANCELLED("set"), CALLS("hash"), SINCE("hash"), WAKE("list"), STATS("hash"),
	META("hash"), SUSPECTS("list"), CRASHES("hash"), LOCKS("hash"), LOCKOF("hash"), AGAIN("hash"), MUTEXES("zset"),
	WINDOWS("zset"), GATHERED("hash"), BACKLOG("zset"), BACKLOGGED("hash"), TICKS("zset"), TICKED("hash");

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
	 * Return the part with the given name.
	 * @param text the last part of the key, such as "ready"
	 * @throws IllegalArgumentException if there is no such part
	 */
	public static QueuePart of(String text) {
		return valueOf(text.toUpperCase(Locale.ROOT));
	}

	/** Return the type of the value, as Redis names it, such as "list". */
	String type() {
		return this.type;
	}

}

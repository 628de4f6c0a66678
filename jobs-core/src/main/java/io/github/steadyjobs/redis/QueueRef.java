package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

import io.github.steadyjobs.Names;

/**
 * Where a job lives: a queue, and which part of it. In Redis a part is a queue like any
 * other, with its own hash tag, so parts spread a queue over the nodes of a cluster. At
 * present only queues of ordered jobs have parts, their shards. Only this type knows how
 * such a name is spelled.
 *
 * @param queue the queue that applications know
 * @param part the number of its part, from 0
 */
public record QueueRef(String queue, int part) {

	/** The most parts that a queue can have. */
	public static final int MOST = 1024;

	/** No queue has it in its name, so a part is never mistaken for another queue. */
	private static final char MARK = '#';

	private static final Pattern NUMBER = Pattern.compile("0|[1-9]\\d{0,3}");

	/**
	 * Return the part of a key. All payloads of a key have the same one.
	 * @param parts how many parts the queue has
	 */
	public static QueueRef ofKey(String queue, String key, int parts) {
		CRC32 crc = new CRC32();
		crc.update(key.getBytes(StandardCharsets.UTF_8));
		return new QueueRef(queue, (int) (crc.getValue() % parts));
	}

	/**
	 * Return a name for all parts of a queue, as opposed to the queue itself.
	 * @return what {@link #isPart} and {@link #queueOf} take for a part
	 */
	public static String allOf(String queue) {
		return queue + MARK;
	}

	/** Return whether a name is the name of a part. */
	public static boolean isPart(String name) {
		return name.indexOf(MARK) > 0;
	}

	/** Return whether a name is valid for a part. */
	static boolean isName(String name) {
		String number = name.substring(name.indexOf(MARK) + 1);
		return isPart(name) && Names.isName(queueOf(name)) && NUMBER.matcher(number).matches()
				&& Integer.parseInt(number) < MOST;
	}

	/**
	 * Return the queue that applications know: the queue of a part, or the queue itself.
	 * @param name the name of a part or of a queue
	 */
	public static String queueOf(String name) {
		int end = name.indexOf(MARK);
		return (end > 0) ? name.substring(0, end) : name;
	}

	/** Return the name under which the part is kept, such as {@code orders#3}. */
	public String name() {
		return this.queue + MARK + this.part;
	}

}

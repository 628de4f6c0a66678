package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

import io.github.steadyjobs.Names;

/**
 * The place where a job is stored: a queue and one of its parts. In Redis, a part is a
 * queue like any other, with its own hash tag, so parts spread a queue over the nodes of
 * a cluster. Currently, only queues of ordered jobs have parts, which are called shards.
 * Only this type knows how the name of a part is formed.
 *
 * @param queue the name of the queue, as known to applications
 * @param part the number of the part, from 0
 */
public record QueueRef(String queue, int part) {

	/** The maximum number of parts of a queue. */
	public static final int MOST = 1024;

	/**
	 * Separates the name of the queue from the number of the part. The name of a queue
	 * cannot contain this character, so a part is never mistaken for another queue.
	 */
	private static final char MARK = '#';

	private static final Pattern NUMBER = Pattern.compile("0|[1-9]\\d{0,3}");

	/**
	 * Return the part for an ordering key. All payloads of a key have the same part.
	 * @param parts the number of parts of the queue
	 */
	public static QueueRef ofKey(String queue, String key, int parts) {
		CRC32 crc = new CRC32();
		crc.update(key.getBytes(StandardCharsets.UTF_8));
		return new QueueRef(queue, (int) (crc.getValue() % parts));
	}

	/**
	 * Return a name that stands for all parts of a queue, as opposed to the queue itself.
	 * @return a name that {@link #isPart} and {@link #queueOf} treat like the name of a
	 * part
	 */
	public static String allOf(String queue) {
		return queue + MARK;
	}

	/** Return whether a name belongs to a part rather than to a whole queue. */
	public static boolean isPart(String name) {
		return name.indexOf(MARK) > 0;
	}

	/** Return whether a name is a valid name of a part. */
	static boolean isName(String name) {
		String number = name.substring(name.indexOf(MARK) + 1);
		return isPart(name) && Names.isName(queueOf(name)) && NUMBER.matcher(number).matches()
				&& Integer.parseInt(number) < MOST;
	}

	/**
	 * Return the name of the queue that applications know: the queue to which a part
	 * belongs, or the queue itself.
	 * @param name the name of a part or of a queue
	 */
	public static String queueOf(String name) {
		int end = name.indexOf(MARK);
		return (end > 0) ? name.substring(0, end) : name;
	}

	/** Return the name under which the part is stored, such as {@code orders#3}. */
	public String name() {
		return this.queue + MARK + this.part;
	}

}

package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

import io.github.steadyjobs.Names;

/**
 * A part of a queue of ordered jobs: in Redis it is a queue like any other, with a hash
 * tag of its own. All payloads of a key go to the same shard. Shards spread keys over the
 * nodes of a cluster, and have nothing to do with threads.
 *
 * @param queue the queue that it is a part of
 * @param number its number, from 0
 */
public record Shard(String queue, int number) {

	/** The most shards that a queue can have. */
	public static final int MOST = 1024;

	/** No queue has it in its name, so a shard is never taken for another queue. */
	private static final char MARK = '#';

	private static final Pattern NUMBER = Pattern.compile("0|[1-9]\\d{0,3}");

	/**
	 * Return the shard of a key.
	 * @param shards how many shards the queue has
	 */
	public static Shard ofKey(String queue, String key, int shards) {
		CRC32 crc = new CRC32();
		crc.update(key.getBytes(StandardCharsets.UTF_8));
		return new Shard(queue, (int) (crc.getValue() % shards));
	}

	/**
	 * Return whether a name is the name of a shard.
	 */
	public static boolean isShard(String name) {
		return name.indexOf(MARK) > 0;
	}

	/**
	 * Return whether a name is valid for a shard.
	 */
	static boolean isName(String name) {
		String number = name.substring(name.indexOf(MARK) + 1);
		return isShard(name) && Names.isName(queueOf(name)) && NUMBER.matcher(number).matches()
				&& Integer.parseInt(number) < MOST;
	}

	/**
	 * Return the queue that applications know: the queue of a shard, or the queue itself.
	 * @param name the name of a shard or of a queue
	 */
	public static String queueOf(String name) {
		int end = name.indexOf(MARK);
		return (end > 0) ? name.substring(0, end) : name;
	}

	/**
	 * Return the name under which the shard is kept, such as {@code orders#3}.
	 */
	public String name() {
		return this.queue + MARK + this.number;
	}

}

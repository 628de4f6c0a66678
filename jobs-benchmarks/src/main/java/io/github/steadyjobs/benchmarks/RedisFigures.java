package io.github.steadyjobs.benchmarks;

import java.util.List;
import java.util.Properties;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;

/**
 * What the server tells about itself.
 */
public final class RedisFigures {

	/**
	 * The commands that workers send. What scripts call inside of the server is none.
	 */
	private static final List<String> SENT_BY_WORKERS = List.of("evalsha", "eval", "blpop");

	private final RedisConnectionFactory factory;

	/**
	 * Create figures.
	 * @param factory connects to the server
	 */
	public RedisFigures(RedisConnectionFactory factory) {
		this.factory = factory;
	}

	long usedMemory() {
		return Long.parseLong(info("memory").getProperty("used_memory"));
	}

	long roundTrips() {
		Properties stats = info("commandstats");
		long calls = 0;
		for (String command : SENT_BY_WORKERS) {
			String figures = stats.getProperty("cmdstat_" + command, "calls=0,");
			calls += Long.parseLong(figures.substring("calls=".length(), figures.indexOf(',')));
		}
		return calls;
	}

	/**
	 * Delete all keys below a prefix.
	 * @param prefix the prefix, without the colon behind it
	 */
	public void clear(String prefix) {
		try (RedisConnection connection = this.factory.getConnection();
				Cursor<byte[]> keys = connection.keyCommands()
					.scan(ScanOptions.scanOptions().match(prefix + ":*").count(1000).build())) {
			keys.forEachRemaining((key) -> connection.keyCommands().unlink(key));
		}
	}

	/**
	 * Wait until the memory of deleted keys is free, which happens in the background.
	 */
	void awaitFreed() throws InterruptedException {
		while (!info("memory").getProperty("lazyfree_pending_objects", "0").equals("0")) {
			Thread.sleep(10);
		}
	}

	private Properties info(String section) {
		try (RedisConnection connection = this.factory.getConnection()) {
			Properties info = connection.serverCommands().info(section);
			if (info == null) {
				throw new IllegalStateException("Redis does not answer INFO " + section);
			}
			return info;
		}
	}

}

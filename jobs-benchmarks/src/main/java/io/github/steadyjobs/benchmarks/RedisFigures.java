package io.github.steadyjobs.benchmarks;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;

/**
 * Figures that the server reports about itself.
 */
public final class RedisFigures {

	/**
	 * The commands that workers send, excluding commands that scripts call inside the
	 * server.
	 */
	private static final List<String> SENT_BY_WORKERS = List.of("evalsha", "eval", "blpop");

	private final RedisConnectionFactory factory;

	/**
	 * Create an instance.
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
			calls += figure(stats.getProperty("cmdstat_" + command, "calls=0,"), "calls=");
		}
		return calls;
	}

	/**
	 * Return how many times scripts were called with {@code EVALSHA}, and how long these
	 * calls took.
	 */
	ScriptCalls scriptCalls() {
		String figures = info("commandstats").getProperty("cmdstat_evalsha", "calls=0,usec=0,");
		return new ScriptCalls(figure(figures, "calls="), figure(figures, "usec="));
	}

	private static long figure(String figures, String name) {
		int start = figures.indexOf(name) + name.length();
		return Long.parseLong(figures.substring(start, figures.indexOf(',', start)));
	}

	/**
	 * Return the number of jobs in a queue, in all states.
	 * @param prefix the prefix of the keys
	 * @param queue the name of the queue
	 */
	long jobs(String prefix, String queue) {
		try (RedisConnection connection = this.factory.getConnection()) {
			byte[] key = "%s:{%s}:payloads".formatted(prefix, queue).getBytes(StandardCharsets.UTF_8);
			return Objects.requireNonNullElse(connection.hashCommands().hLen(key), 0L);
		}
	}

	/**
	 * Count the keys with a prefix.
	 */
	int keys(String prefix) {
		try (RedisConnection connection = this.factory.getConnection();
				Cursor<byte[]> keys = below(connection, prefix)) {
			return (int) keys.stream().distinct().count();
		}
	}

	private static Cursor<byte[]> below(RedisConnection connection, String prefix) {
		return connection.keyCommands().scan(ScanOptions.scanOptions().match(prefix + ":*").count(1000).build());
	}

	/**
	 * Delete all keys with a prefix.
	 * @param prefix the prefix, without the colon that follows it
	 */
	public void clear(String prefix) {
		try (RedisConnection connection = this.factory.getConnection();
				Cursor<byte[]> keys = below(connection, prefix)) {
			keys.forEachRemaining((key) -> connection.keyCommands().unlink(key));
		}
	}

	void delete(String key) {
		try (RedisConnection connection = this.factory.getConnection()) {
			connection.keyCommands().unlink(key.getBytes(StandardCharsets.UTF_8));
		}
	}

	/**
	 * Wait until the memory of deleted keys has been freed, which happens in the
	 * background.
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

	/**
	 * Calls of scripts.
	 *
	 * @param calls number of calls
	 * @param micros microseconds that the server spent on them
	 */
	record ScriptCalls(long calls, long micros) {

		static ScriptCalls sum(List<ScriptCalls> parts) {
			return new ScriptCalls(parts.stream().mapToLong(ScriptCalls::calls).sum(),
					parts.stream().mapToLong(ScriptCalls::micros).sum());
		}

		ScriptCalls since(ScriptCalls before) {
			return new ScriptCalls(this.calls - before.calls, this.micros - before.micros);
		}

		double microsPerCall() {
			return this.micros / (double) this.calls;
		}

	}

}

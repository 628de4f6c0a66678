package io.github.steadyjobs.support;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;

import io.github.steadyjobs.redis.RedisConnections;

import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.Cursor;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;

/**
 * A Redis with a key prefix that no other test uses.
 */
public final class TestRedis implements AutoCloseable {

	private final LettuceConnectionFactory connectionFactory;

	private final String url;

	private final String prefix;

	private final RedisConnections connections;

	private final StringRedisTemplate template;

	/**
	 * Create a view of a Redis, with a new key prefix.
	 * @param connectionFactory a started factory, which this object does not close
	 * @param url the address, in the format of {@code spring.data.redis.url}
	 */
	public TestRedis(LettuceConnectionFactory connectionFactory, String url) {
		this(connectionFactory, url, "t" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt()));
	}

	private TestRedis(LettuceConnectionFactory connectionFactory, String url, String prefix) {
		this.connectionFactory = connectionFactory;
		this.url = url;
		this.prefix = prefix;
		this.connections = new RedisConnections(connectionFactory);
		this.template = new StringRedisTemplate(connectionFactory);
	}

	/**
	 * Create a view of the Redis of another process, with the same key prefix.
	 * @param url the address, in the format of {@code spring.data.redis.url}
	 * @param prefix the prefix of all keys
	 * @return a view of that Redis
	 */
	public static TestRedis shared(String url, String prefix) {
		return new TestRedis(ConnectionFactories.single(url, ConnectionFactories.COMMAND_TIMEOUT), url, prefix);
	}

	/**
	 * Return a started factory, which other tests use too.
	 * @return the factory, which must not be destroyed
	 */
	public LettuceConnectionFactory connectionFactory() {
		return this.connectionFactory;
	}

	/**
	 * Return the address of this Redis, in the format of {@code spring.data.redis.url}.
	 * @return the URL of the server
	 */
	public String url() {
		return this.url;
	}

	/**
	 * Return connections for the stores. These are closed after the test class.
	 * @return connections, the same each time
	 */
	public RedisConnections connections() {
		return this.connections;
	}

	/**
	 * Return the prefix of all keys of the test class.
	 * @return the prefix, without a colon
	 */
	public String prefix() {
		return this.prefix;
	}

	/**
	 * Return a template for reading the keys.
	 * @return a template that reads keys and values as strings
	 */
	public StringRedisTemplate template() {
		return this.template;
	}

	/**
	 * Return a key of a queue.
	 * @param queue the name of the queue
	 * @param name the last part of the key, such as "ready"
	 * @return the whole key
	 */
	public String key(String queue, String name) {
		return this.prefix + ":{" + queue + "}:" + name;
	}

	/**
	 * Return the content of all keys with the prefix.
	 * @return the value of each key: a list, a set, a map (for a hash, or for a sorted
	 * set with its scores) or a string
	 */
	public Map<String, Object> contents() {
		return contentsOf(keys(this.prefix + ":*"));
	}

	/**
	 * Return the content of all keys of a queue.
	 * @param queue the name of the queue
	 * @return the value of each key, by the last part of the key: a list, a set, a map
	 * (for a hash, or for a sorted set with its scores) or a string
	 */
	public Map<String, Object> contents(String queue) {
		String start = key(queue, "");
		Map<String, Object> contents = new TreeMap<>();
		contentsOf(keys(start + "*")).forEach((key, value) -> contents.put(key.substring(start.length()), value));
		return contents;
	}

	private Map<String, Object> contentsOf(Set<String> keys) {
		Map<String, Object> contents = new TreeMap<>();
		keys.forEach((key) -> contents.put(key, contentOf(key)));
		return contents;
	}

	private Object contentOf(String key) {
		DataType type = this.template.type(key);
		return switch (type) {
			case LIST -> List.copyOf(this.template.opsForList().range(key, 0, -1));
			case SET -> new TreeSet<>(this.template.opsForSet().members(key));
			case HASH -> new TreeMap<>(this.template.opsForHash().entries(key));
			case ZSET -> scores(this.template.opsForZSet().rangeWithScores(key, 0, -1));
			case STRING -> String.valueOf(this.template.opsForValue().get(key));
			// The key has disappeared since it was listed.
			default -> "nothing";
		};
	}

	private static Map<String, Double> scores(Set<TypedTuple<String>> tuples) {
		Map<String, Double> scores = new LinkedHashMap<>();
		tuples.forEach((tuple) -> scores.put(tuple.getValue(), tuple.getScore()));
		return scores;
	}

	private Set<String> keys(String pattern) {
		Set<String> keys = new TreeSet<>();
		try (Cursor<String> found = this.template.scan(ScanOptions.scanOptions().match(pattern).count(10000).build())) {
			found.forEachRemaining(keys::add);
		}
		return keys;
	}

	/**
	 * Delete all keys with the prefix.
	 */
	public void clear() {
		Set<String> keys = keys(this.prefix + ":*");
		if (!keys.isEmpty()) {
			this.template.unlink(keys);
		}
	}

	/**
	 * Delete all keys with the prefix, and close the resources that this object has
	 * opened.
	 */
	@Override
	public void close() {
		this.connections.close();
		clear();
	}

}

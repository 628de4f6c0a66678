package io.github.steadyjobs.sidekiq;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.data.redis.serializer.RedisSerializer;

/**
 * Sidekiq's Redis, with its keys and, next to them, the keys of the bridges. This is the
 * only class of this module that knows the names of keys. Thread safe.
 */
final class SidekiqRedis implements DisposableBean {

	@SuppressWarnings("rawtypes")
	private static final RedisScript<List> EXCHANGE = RedisScript.of(source("exchange.lua"), List.class);

	private final @Nullable LettuceConnectionFactory own;

	private final RedisTemplate<String, byte[]> template = new RedisTemplate<>();

	private final String namespace;

	private final String prefix;

	/**
	 * Create an object for access to Sidekiq's keys.
	 * @param factory the connection factory for Sidekiq's Redis
	 * @param own the same factory, to be closed together with this object, or
	 * {@code null} if it is used elsewhere too
	 * @param namespace the prefix of Sidekiq's keys, or empty
	 * @param prefix the prefix of the keys for bridges
	 */
	SidekiqRedis(RedisConnectionFactory factory, @Nullable LettuceConnectionFactory own, String namespace,
			String prefix) {
		this.own = own;
		this.namespace = namespace.isEmpty() ? "" : namespace + ":";
		this.prefix = prefix + ":sidekiq:";
		this.template.setConnectionFactory(factory);
		this.template.setKeySerializer(RedisSerializer.string());
		this.template.setValueSerializer(RedisSerializer.byteArray());
		this.template.setHashKeySerializer(RedisSerializer.string());
		this.template.setHashValueSerializer(RedisSerializer.string());
		this.template.afterPropertiesSet();
	}

	private static String source(String file) {
		try {
			return new ClassPathResource(file, SidekiqRedis.class).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the key of the elements that cannot become jobs.
	 */
	String aside() {
		return this.prefix + "refused";
	}

	private String bridges() {
		return this.prefix + "bridges";
	}

	private String key(String name) {
		return this.namespace + name;
	}

	/**
	 * End the current batch of a bridge, and begin the next batch.
	 * @param number the number of the batch to begin
	 * @param most the maximum number of elements to take; -1 to end the bridge
	 * @param refused the positions of the elements of the last batch that cannot become
	 * jobs
	 * @param sources the queues from which to take elements, and single elements to take
	 * @return the new batch, or {@code null} if the bridge is at another batch number
	 */
	@Nullable Batch exchange(String bridge, long number, int most, List<Integer> refused, Sources sources) {
		List<String> keys = new ArrayList<>(List.of(bridges(), this.prefix + "batch:" + bridge, aside(),
				key(DueSet.SCHEDULE.key()), key(DueSet.RETRY.key())));
		sources.queues().forEach((queue) -> keys.add(key("queue:" + queue)));
		List<byte[]> arguments = new ArrayList<>(List.of(bytes(bridge), bytes(number), bytes(most),
				bytes(this.namespace.getBytes(StandardCharsets.UTF_8).length), bytes(refused.size())));
		refused.forEach((place) -> arguments.add(bytes(place)));
		arguments.add(bytes(sources.scheduled().size()));
		arguments.addAll(sources.scheduled());
		arguments.addAll(sources.retries());
		return Batch.read(bridge, number, run(keys, arguments));
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private List<byte[]> run(List<String> keys, List<byte[]> arguments) {
		return (List<byte[]>) this.template.execute(EXCHANGE, RedisSerializer.byteArray(),
				(RedisSerializer<List>) (RedisSerializer<?>) RedisSerializer.byteArray(), keys, arguments.toArray());
	}

	private static byte[] bytes(Object value) {
		return value.toString().getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Read elements that are due.
	 * @param now the current time, in milliseconds since the epoch
	 * @param from the number of due elements to skip
	 * @param most the maximum number of elements to read
	 */
	Collection<byte[]> due(DueSet set, long now, long from, int most) {
		Collection<byte[]> found = this.template.opsForZSet()
			.rangeByScore(key(set.key()), Double.NEGATIVE_INFINITY, now / 1000.0, from, most);
		return (found != null) ? found : List.of();
	}

	/**
	 * Read the state of all bridges that have taken elements.
	 * @return the number of the last batch and the time at which it was filled, by bridge
	 */
	Map<String, String> allBridges() {
		return this.template.<String, String>opsForHash().entries(bridges());
	}

	/**
	 * Push jobs to a queue of Sidekiq, and make the queue known to Sidekiq.
	 */
	void push(String queue, List<byte[]> jobs) {
		this.template.opsForSet().add(key("queues"), bytes(queue));
		this.template.opsForList().leftPushAll(key("queue:" + queue), jobs);
	}

	/**
	 * Add a job to Sidekiq's schedule.
	 * @param millis when the job is due, in milliseconds since the epoch
	 */
	void schedule(byte[] job, long millis) {
		this.template.opsForZSet().add(key(DueSet.SCHEDULE.key()), job, millis / 1000.0);
	}

	@Override
	public void destroy() {
		if (this.own != null) {
			this.own.destroy();
		}
	}

	/**
	 * A sorted set of jobs that wait until they are due.
	 */
	enum DueSet {

		SCHEDULE, RETRY;

		String key() {
			return (this == SCHEDULE) ? "schedule" : "retry";
		}

	}

	/**
	 * The queues from which to take elements, and single elements to take.
	 *
	 * @param queues the names of Sidekiq queues, in the order in which they are emptied
	 * @param scheduled the members of {@code schedule} to take, which are taken first
	 * @param retries the members of {@code retry} to take
	 */
	record Sources(Collection<String> queues, List<byte[]> scheduled, List<byte[]> retries) {

		static final Sources NONE = new Sources(List.of(), List.of(), List.of());

	}

}

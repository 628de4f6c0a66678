package io.github.steadyjobs.samples.orders;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * All events, in the order in which they happened: a list in Redis for each stream. The
 * ledger outlives the workers, and several processes may write to it.
 */
@Component
class Ledger {

	private static final String STREAM = "orders:stream";

	private static final Duration KEPT = Duration.ofDays(1);

	private final StringRedisTemplate redis;

	private OrderHistory history = new OrderHistory(0);

	Ledger(StringRedisTemplate redis) {
		this.redis = redis;
	}

	/**
	 * Begin a stream.
	 * @return the number of the stream
	 */
	long begin(Event begun) {
		long stream = this.redis.opsForValue().increment(STREAM);
		add(stream, begun);
		this.redis.expire(key(stream), KEPT);
		return stream;
	}

	/**
	 * Add all events, or none of them.
	 */
	void add(long stream, Event... events) {
		this.redis.opsForList().rightPushAll(key(stream), Stream.of(events).map(Event::toString).toList());
	}

	/**
	 * Return the number of the newest stream, or 0 if there is no stream.
	 */
	long newest() {
		String stream = this.redis.opsForValue().get(STREAM);
		return (stream != null) ? Long.parseLong(stream) : 0;
	}

	/**
	 * Return a summary of the newest stream so far.
	 */
	synchronized OrderHistory.Summary summary() {
		long newest = newest();
		if (newest != this.history.stream()) {
			this.history = new OrderHistory(newest);
		}
		List<String> added = this.redis.opsForList().range(key(newest), this.history.size(), -1);
		added.forEach((event) -> this.history.add(Event.parse(event)));
		return this.history.summary();
	}

	private static String key(long stream) {
		return "orders:events:" + stream;
	}

}

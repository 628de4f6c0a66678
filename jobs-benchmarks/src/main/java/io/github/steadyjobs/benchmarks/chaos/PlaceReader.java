package io.github.steadyjobs.benchmarks.chaos;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.StringRedisConnection;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Looks where jobs are.
 */
final class PlaceReader {

	private final StringRedisTemplate redis;

	private final String prefix;

	PlaceReader(RedisConnectionFactory factory, String prefix) {
		this.redis = new StringRedisTemplate(factory);
		this.prefix = prefix;
	}

	Places read() {
		Set<String> live = new HashSet<>();
		Set<String> dead = new HashSet<>();
		int twice = 0;
		int violations = 0;
		for (String queue : Order.QUEUES) {
			String tag = this.prefix + ":{" + queue + "}:";
			Map<String, Integer> count = new HashMap<>();
			for (String list : List.of("ready", "suspects")) {
				List<String> ids = this.redis.opsForList().range(tag + list, 0, -1);
				ids.forEach((id) -> count.merge(id, 1, Integer::sum));
			}
			for (String set : List.of("scheduled", "retries")) {
				this.redis.opsForZSet().range(tag + set, 0, -1).forEach((id) -> count.merge(id, 1, Integer::sum));
			}
			for (String hash : List.of("working", "parked")) {
				this.redis.opsForHash().keys(tag + hash).forEach((id) -> count.merge((String) id, 1, Integer::sum));
			}
			live.addAll(count.keySet());
			Set<String> deadHere = this.redis.opsForZSet().range(tag + "dead", 0, -1);
			deadHere.forEach((id) -> count.merge(id, 1, Integer::sum));
			dead.addAll(deadHere);
			twice += (int) count.values().stream().filter((places) -> places > 1).count();
			Set<Object> payloads = this.redis.opsForHash().keys(tag + "payloads");
			violations += (int) payloads.stream().filter((id) -> !count.containsKey(id)).count();
			violations += (int) count.keySet().stream().filter((id) -> !payloads.contains(id)).count();
		}
		return new Places(live, dead, twice, violations);
	}

}

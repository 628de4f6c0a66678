package io.github.steadyjobs.benchmarks.duplicates;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.DefaultRedisScript;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Reads the jobs and locks of the queue in one atomic step.
 */
final class Locks {

	/**
	 * Returns the lock of each job that has a lock, and then the number of all jobs.
	 */
	@SuppressWarnings("rawtypes")
	private static final RedisScript<List> LOOK = new DefaultRedisScript<>("local found = redis.call('HVALS', KEYS[1]) "
			+ "found[#found + 1] = tostring(redis.call('HLEN', KEYS[2])) return found", List.class);

	private final StringRedisTemplate redis;

	private final String prefix;

	Locks(StringRedisTemplate redis, String prefix) {
		this.redis = redis;
		this.prefix = prefix + ":{" + DuplicateJobs.QUEUE + "}:";
	}

	/**
	 * Return the number of keys with two or more jobs plus the number of jobs without a
	 * lock.
	 */
	long violations() {
		List<?> found = this.redis.execute(LOOK, List.of(this.prefix + "lockof", this.prefix + "payloads"));
		long jobs = Long.parseLong((String) found.get(found.size() - 1));
		Map<String, Integer> holders = new HashMap<>();
		for (Object entry : found.subList(0, found.size() - 1)) {
			holders.merge(((String) entry).split(" ")[1], 1, Integer::sum);
		}
		Collection<Integer> counts = holders.values();
		return counts.stream().filter((count) -> count > 1).count() + Math.max(0, jobs - (found.size() - 1));
	}

	long jobs() {
		return this.redis.opsForHash().size(this.prefix + "payloads");
	}

	/**
	 * Count the remaining locks.
	 */
	long left() {
		return List.of("locks", "lockof", "again")
			.stream()
			.mapToLong((name) -> this.redis.opsForHash().size(this.prefix + name))
			.sum();
	}

}

package io.github.steadyjobs.sidekiq;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.sidekiq.SidekiqRedis.DueSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds due jobs in Sidekiq's sorted sets that belong to queues whose jobs run here. The
 * sets are shared by all queues, and Sidekiq's own processes take elements from them too.
 * Jobs that are not due yet are left there, so that Sidekiq's pages can still show and
 * delete them. Not thread safe.
 */
final class DueJobs {

	private static final Logger logger = LoggerFactory.getLogger(DueJobs.class);

	private final SidekiqRedis redis;

	private final Translation translation;

	private final Mapping mapping;

	/**
	 * The number of due elements that belong elsewhere and come before the first unread
	 * element.
	 */
	private final Map<DueSet, Long> passed = new EnumMap<>(DueSet.class);

	private boolean complained;

	DueJobs(SidekiqRedis redis, Translation translation, Mapping mapping) {
		this.redis = redis;
		this.translation = translation;
		this.mapping = mapping;
	}

	/**
	 * Find the next elements.
	 * @param now milliseconds since the epoch
	 * @param most the maximum number of elements to examine
	 * @return the elements that belong here
	 */
	List<byte[]> find(DueSet set, long now, int most) {
		long from = this.passed.getOrDefault(set, 0L);
		Collection<byte[]> due = this.redis.due(set, now, from, most);
		List<byte[]> ours = new ArrayList<>();
		due.stream().filter((element) -> isOurs(set, element)).forEach(ours::add);
		// At the end of the set, start again from the beginning, because elements may be
		// added anywhere.
		this.passed.put(set, (due.size() < most) ? 0 : from + due.size() - ours.size());
		return ours;
	}

	private boolean isOurs(DueSet set, byte[] element) {
		try {
			return this.mapping.queue(this.translation.queueOf(element)) != null;
		}
		catch (InvalidJobException ex) {
			if (!this.complained) {
				this.complained = true;
				logger.warn("Sidekiq's '{}' has an element that is due and cannot be read, because {}. Its owner is "
						+ "unknown, so it stays there. This is logged once", set.key(), ex.getMessage());
			}
			return false;
		}
	}

}

package io.github.steadyjobs.ordered;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * Finds out, when the workers start, how many shards the queues of ordered jobs have and
 * which of these shards this process serves. If Redis does not answer in time, the shard
 * counts that jobs declare are assumed, and {@linkplain #isConfirmed checked} later.
 * Thread safe.
 */
public final class ShardAssignment {

	/** How long the start of the workers waits for Redis. */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final Logger logger = LoggerFactory.getLogger(ShardAssignment.class);

	private final ShardRegistry registry;

	private final ShardSplitter splitter;

	/** The queues whose shard count is not confirmed, each with the assumed count. */
	private final Map<String, Integer> assumed = new TreeMap<>();

	public ShardAssignment(ShardRegistry registry, ShardSplitter splitter) {
		this.registry = registry;
		this.splitter = splitter;
	}

	/**
	 * Return the shards to serve, given the shards that jobs declare. Waits up to two
	 * seconds for Redis.
	 * @param declared the numbers of the shards that jobs declare, by queue
	 * @return the numbers of the shards to serve, by queue
	 */
	public synchronized Map<String, List<Integer>> assign(Map<String, List<Integer>> declared) {
		this.assumed.clear();
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		SortedMap<String, Integer> counts = new TreeMap<>();
		declared.forEach((queue, shards) -> counts.put(queue, settle(queue, shards.size(), deadline)));
		Map<String, List<Integer>> own = this.splitter.split(counts);
		check(own, counts);
		counts.keySet()
			.stream()
			.filter((queue) -> own.getOrDefault(queue, List.of()).isEmpty())
			.forEach((queue) -> logger.warn(
					"This process serves none of the {} shards of queue '{}'. If that is not "
							+ "intended, let its job declare more shards, or split them among fewer nodes",
					counts.get(queue), queue));
		return own;
	}

	/**
	 * Check the assumed numbers of shards. Called from time to time, while Redis answers.
	 * @return {@code false} if an assumption was wrong, so that the workers have to
	 * restart; {@code true} if no assumption is known to be wrong
	 */
	public synchronized boolean isConfirmed() {
		try {
			for (Map.Entry<String, Integer> queue : List.copyOf(this.assumed.entrySet())) {
				int count = this.registry
					.settle(queue.getKey(), queue.getValue(), System.nanoTime() + PATIENCE.toNanos())
					.shards();
				if (count != queue.getValue()) {
					this.assumed.clear();
					logger.warn("Queue '{}' has {} shards, and {} were assumed while Redis did not answer. The workers "
							+ "of this process restart", queue.getKey(), count, queue.getValue());
					return false;
				}
				this.assumed.remove(queue.getKey());
			}
		}
		catch (JobStoreException ex) {
			logger.debug("The numbers of shards are confirmed later", ex);
		}
		return true;
	}

	private int settle(String queue, int declared, long deadline) {
		try {
			return this.registry.settle(queue, declared, deadline).shards();
		}
		catch (JobStoreException ex) {
			if (ex.reason() == Reason.DAMAGED) {
				logger.warn("This process serves the {} shards of queue '{}' that its job declares: {}", declared,
						queue, ex.getMessage());
			}
			this.assumed.put(queue, declared);
			return declared;
		}
	}

	private void check(Map<String, List<Integer>> own, Map<String, Integer> counts) {
		own.forEach((queue, numbers) -> {
			int count = counts.getOrDefault(queue, 0);
			Assert.state(
					numbers.stream().allMatch((number) -> number >= 0 && number < count)
							&& numbers.stream().distinct().count() == numbers.size(),
					() -> "%s wants this process to serve the shards %s of queue '%s', which has %d: use each of the numbers below that at most once"
						.formatted(this.splitter.getClass().getName(), numbers, queue, count));
		});
	}

}

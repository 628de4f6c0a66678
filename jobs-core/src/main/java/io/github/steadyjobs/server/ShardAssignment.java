package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.ordered.ShardRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * Finds out, at a start of the workers, how many shards the queues of ordered jobs have
 * and which of them this process serves. If Redis does not answer in time, the numbers
 * that jobs declare are assumed, and {@linkplain #isConfirmed confirmed} later. Not
 * thread safe.
 */
final class ShardAssignment {

	/** How long a start waits for Redis. */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final Logger logger = LoggerFactory.getLogger(ShardAssignment.class);

	private final ShardRegistry registry;

	private final ShardSplitter splitter;

	/** The queues whose number of shards Redis has not confirmed. */
	private final Map<String, Integer> assumed = new TreeMap<>();

	ShardAssignment(ShardRegistry registry, ShardSplitter splitter) {
		this.registry = registry;
		this.splitter = splitter;
	}

	/**
	 * Replace the shards that jobs declare with those to serve.
	 * @return the capsules, without queues and capsules that have no shards to serve
	 */
	List<Capsule> assign(List<Capsule> capsules) {
		SortedMap<String, Integer> counts = settle(capsules);
		if (counts.isEmpty()) {
			return capsules;
		}
		Map<String, List<Integer>> own = this.splitter.split(counts);
		check(own, counts);
		counts.keySet()
			.stream()
			.filter((queue) -> own.getOrDefault(queue, List.of()).isEmpty())
			.forEach((queue) -> logger.warn(
					"This process serves none of the {} shards of queue '{}'. If that is not "
							+ "intended, let its job declare more shards, or split them among fewer nodes",
					counts.get(queue), queue));
		List<Capsule> assigned = new ArrayList<>();
		for (Capsule capsule : capsules) {
			List<Capsule.Queue> queues = capsule.queues().stream().flatMap((queue) -> served(queue, own)).toList();
			if (!queues.isEmpty()) {
				assigned.add(new Capsule(capsule.name(), capsule.concurrency(), capsule.order(), capsule.claimAhead(),
						queues, capsule.rules()));
			}
		}
		return assigned;
	}

	private static Stream<Capsule.Queue> served(Capsule.Queue queue, Map<String, List<Integer>> own) {
		if (!queue.isOrdered()) {
			return Stream.of(queue);
		}
		List<Integer> shards = own.getOrDefault(queue.name(), List.of());
		return shards.isEmpty() ? Stream.empty() : Stream.of(queue.withShards(shards));
	}

	/**
	 * Check what was assumed. Called now and then, while Redis answers.
	 * @return whether the assumptions were right; if not, the workers have to restart
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	boolean isConfirmed() {
		for (Map.Entry<String, Integer> queue : List.copyOf(this.assumed.entrySet())) {
			int count = this.registry.settle(queue.getKey(), queue.getValue(), System.nanoTime() + PATIENCE.toNanos())
				.shards();
			if (count != queue.getValue()) {
				this.assumed.clear();
				logger.warn("Queue '{}' has {} shards, and {} were assumed while Redis did not answer. The workers of "
						+ "this process start anew", queue.getKey(), count, queue.getValue());
				return false;
			}
			this.assumed.remove(queue.getKey());
		}
		return true;
	}

	private SortedMap<String, Integer> settle(List<Capsule> capsules) {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		SortedMap<String, Integer> counts = new TreeMap<>();
		for (Capsule capsule : capsules) {
			for (Capsule.Queue queue : capsule.queues()) {
				if (queue.isOrdered()) {
					counts.computeIfAbsent(queue.name(), (name) -> settle(queue, deadline));
				}
			}
		}
		return counts;
	}

	private int settle(Capsule.Queue queue, long deadline) {
		int declared = queue.shards().size();
		try {
			return this.registry.settle(queue.name(), declared, deadline).shards();
		}
		catch (JobStoreException ex) {
			if (ex.reason() == Reason.DAMAGED) {
				logger.warn("This process serves the {} shards of queue '{}' that its job declares: {}", declared,
						queue.name(), ex.getMessage());
			}
			this.assumed.put(queue.name(), declared);
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

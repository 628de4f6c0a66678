package io.github.steadyjobs.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.EnqueueCall.Destination;
import io.github.steadyjobs.redis.ShardRegistry.MovedException;

/**
 * Stores many ordered jobs of a queue, shard by shard, and stops after a push that
 * failed. Thread safe.
 */
final class OrderedPush {

	private final ShardRegistry shards;

	private final Function<NewJob, Destination> destinations;

	private final BiFunction<Destination, List<NewJob>, Push> pusher;

	/**
	 * Create a push.
	 * @param destinations finds the shard of a job
	 * @param pusher stores jobs of one shard
	 */
	OrderedPush(ShardRegistry shards, Function<NewJob, Destination> destinations,
			BiFunction<Destination, List<NewJob>, Push> pusher) {
		this.shards = shards;
		this.destinations = destinations;
		this.pusher = pusher;
	}

	Push push(String queue, List<NewJob> jobs, Durability wanted) {
		Push all = new Push(jobs.size());
		all.reached(wanted);
		try {
			List<Integer> left = IntStream.range(0, jobs.size()).boxed().toList();
			while (!left.isEmpty()) {
				left = push(queue, jobs, left, all);
			}
		}
		catch (JobStoreException ex) {
			all.failed(0, 0, ex);
		}
		return all;
	}

	/**
	 * Store some of the jobs.
	 * @param places which
	 * @return those that were refused because the number of shards had just changed
	 */
	private List<Integer> push(String queue, List<NewJob> jobs, List<Integer> places, Push all) {
		Map<Destination, List<Integer>> byShard = new LinkedHashMap<>();
		for (Integer place : places) {
			byShard.computeIfAbsent(this.destinations.apply(jobs.get(place)), (shard) -> new ArrayList<>()).add(place);
		}
		List<Integer> moved = new ArrayList<>();
		for (Map.Entry<Destination, List<Integer>> shard : byShard.entrySet()) {
			if (all.isBroken()) {
				return List.of();
			}
			Push part = this.pusher.apply(shard.getKey(), shard.getValue().stream().map(jobs::get).toList());
			if (part.failure() instanceof MovedException ex) {
				this.shards.refresh(queue, ex.version());
				moved.addAll(all.takeAnswered(shard.getValue(), part));
			}
			else {
				all.take(shard.getValue(), part);
			}
		}
		return moved;
	}

}

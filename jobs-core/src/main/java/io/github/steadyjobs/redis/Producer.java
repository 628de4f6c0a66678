package io.github.steadyjobs.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.EnqueueCall.Destination;
import io.lettuce.core.protocol.CommandType;

/**
 * Stores jobs by numbered calls, each kind on the connection that suits it. Thread safe.
 */
final class Producer {

	private static final long REGISTER_EVERY = TimeUnit.MINUTES.toNanos(1);

	private static final int SLOTS = 64;

	private final RedisConnections connections;

	private final KeySpace keys;

	private final ShardRegistry shards;

	private final PlainCommands commands;

	private final PlainCommands bulkCommands;

	private final CallSlots slots;

	private final CallSlots bulkSlots;

	/** Their own: others must not run out of slots while a replica is unavailable. */
	private final CallSlots replicatedSlots;

	private final Map<String, Long> registered = new ConcurrentHashMap<>();

	/**
	 * Create a producer.
	 * @param prefix what all keys begin with
	 * @param commands makes queues known
	 * @param names makes unique names
	 */
	Producer(RedisConnections connections, String prefix, PlainCommands commands, Supplier<String> names) {
		this.connections = connections;
		this.keys = connections.keys(prefix);
		this.shards = new ShardRegistry(connections, prefix);
		this.commands = commands;
		this.bulkCommands = new PlainCommands(connections.bulk(), connections.commandTimeout());
		this.slots = new CallSlots(SLOTS, names);
		this.bulkSlots = new CallSlots(BulkPush.SLOTS, names);
		this.replicatedSlots = new CallSlots(SLOTS, names);
	}

	/**
	 * Continue under other names, because another process may be using the present ones.
	 */
	void rename() {
		this.slots.rename();
		this.bulkSlots.rename();
		this.replicatedSlots.rename();
	}

	/**
	 * Store many jobs and, if they should be replicated, wait until they are.
	 * @param keep whether to keep calls that are not answered soon, to be sent again
	 */
	Push enqueueAll(String queue, List<NewJob> jobs, Durability wanted, boolean keep) {
		if (jobs.isEmpty() || jobs.get(0).ordering() == null) {
			Destination destination = new Destination(this.keys.queue(queue), 0);
			register(queue, (jobs.size() == 1) ? this.commands : this.bulkCommands);
			return push(destination, jobs, wanted, keep);
		}
		Push all = new Push(jobs.size());
		all.reached(wanted);
		try {
			List<Integer> left = IntStream.range(0, jobs.size()).boxed().toList();
			while (!left.isEmpty()) {
				left = pushByShard(queue, jobs, left, all, (to, some) -> push(to, some, wanted, keep));
			}
		}
		catch (JobStoreException ex) {
			all.failed(0, 0, ex);
		}
		return all;
	}

	/**
	 * Store some of the ordered jobs, shard by shard, and stop after a push that failed.
	 * @param places which
	 * @return those that were refused because the number of shards had just changed
	 */
	private List<Integer> pushByShard(String queue, List<NewJob> jobs, List<Integer> places, Push all,
			BiFunction<Destination, List<NewJob>, Push> pusher) {
		Map<Destination, List<Integer>> byShard = new LinkedHashMap<>();
		for (Integer place : places) {
			byShard.computeIfAbsent(destination(queue, jobs.get(place)), (shard) -> new ArrayList<>()).add(place);
		}
		List<Integer> moved = new ArrayList<>();
		for (Map.Entry<Destination, List<Integer>> shard : byShard.entrySet()) {
			if (all.isBroken()) {
				return List.of();
			}
			Push part = pusher.apply(shard.getKey(), shard.getValue().stream().map(jobs::get).toList());
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

	private Push push(Destination destination, List<NewJob> jobs, Durability wanted, boolean keep) {
		boolean replicated = wanted != Durability.STORED;
		boolean one = jobs.size() == 1;
		CallSlots slots = replicated ? this.replicatedSlots : one ? this.slots : this.bulkSlots;
		NodeConnections route = (replicated || one) ? this.connections.commands() : this.connections.bulk();
		try {
			ReplicaWait replicas = replicated ? this.connections.replicaWait(destination.keys().get(QueuePart.META))
					: null;
			return new BulkPush(slots, route, this.connections.commandTimeout(),
					keep ? this.connections.shortTimeout() : null, replicas)
				.push(destination, jobs);
		}
		catch (JobStoreException ex) {
			Push push = new Push(jobs.size());
			push.failed(0, jobs.size(), ex);
			return push;
		}
	}

	/**
	 * Find the shard of an ordered job, and register it for those who look at all queues.
	 */
	private Destination destination(String queue, NewJob job) {
		NewJob.Ordering ordering = Objects.requireNonNull(job.ordering());
		ShardRegistry.Count count = this.shards.current(queue, ordering.shards());
		String shard = QueueRef.ofKey(queue, ordering.key(), count.shards()).name();
		Destination destination = new Destination(this.keys.queue(shard), count.version());
		register(shard, this.commands);
		return destination;
	}

	/**
	 * Make a queue known.
	 * @param commands use the same connection as the job
	 */
	private void register(String queue, PlainCommands commands) {
		long now = System.nanoTime();
		Long last = this.registered.get(queue);
		if (last == null || now - last > REGISTER_EVERY) {
			// Sent before the job and not waited for: the two travel in this order.
			commands.send(CommandType.SADD, this.keys.queueNames(), queue)
				.thenRun(() -> this.registered.put(queue, now));
		}
	}

}

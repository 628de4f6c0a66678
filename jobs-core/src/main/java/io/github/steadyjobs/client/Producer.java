package io.github.steadyjobs.client;

import java.time.Duration;
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
import io.github.steadyjobs.ordered.MovedException;
import io.github.steadyjobs.ordered.ShardRegistry;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.NumberedCalls;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ReplicaWait;
import io.github.steadyjobs.redis.StoreCalls;

/**
 * Stores jobs with numbered calls, using the connection that suits each kind of call.
 * Thread safe.
 */
final class Producer {

	private static final long REGISTER_EVERY = TimeUnit.MINUTES.toNanos(1);

	private static final int SLOTS = 64;

	private final RedisConnections connections;

	private final String prefix;

	private final ShardRegistry shards;

	private final int mostPayloads;

	private final NumberedCalls calls;

	private final NumberedCalls bulk;

	/** Calls for replicated jobs. They take longer, so they have slots of their own. */
	private final NumberedCalls replicated;

	private final Map<String, Long> registered = new ConcurrentHashMap<>();

	/**
	 * Create a producer.
	 * @param prefix the prefix of all keys
	 * @param mostPayloads the maximum number of payloads that wait for a key
	 * @param names creates unique names
	 */
	Producer(RedisConnections connections, String prefix, int mostPayloads, Supplier<String> names) {
		this.mostPayloads = mostPayloads;
		this.connections = connections;
		this.prefix = prefix;
		this.shards = new ShardRegistry(connections, prefix);
		StoreCalls calls = StoreCalls.of(connections, prefix);
		this.calls = new NumberedCalls(calls, SLOTS, names);
		this.bulk = new NumberedCalls(StoreCalls.ofBulk(connections, prefix), BulkPush.SLOTS, names);
		this.replicated = new NumberedCalls(calls, SLOTS, names);
	}

	/**
	 * Continue under new names, because another process may be using the current names.
	 */
	void rename() {
		this.calls.rename();
		this.bulk.rename();
		this.replicated.rename();
	}

	/**
	 * Store many jobs, and wait until they are replicated if requested.
	 * @param keep whether to keep calls that are not answered soon, so that they can be
	 * sent again
	 */
	Push enqueueAll(String queue, List<NewJob> jobs, Durability wanted, boolean keep) {
		if (jobs.isEmpty() || jobs.get(0).ordering() == null) {
			register(queue, (jobs.size() == 1) ? this.calls : this.bulk);
			return push(new Destination.Queue(queue), jobs, wanted, keep);
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
	 * @param places the indexes of the jobs to store
	 * @return the indexes of the jobs that were refused because the number of shards had
	 * just changed
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
		Duration patience = keep ? this.connections.shortTimeout() : null;
		try {
			if (wanted == Durability.STORED) {
				return new BulkPush((jobs.size() == 1) ? this.calls : this.bulk, patience, null).push(destination,
						jobs);
			}
			ReplicaWait replicas = this.connections.replicaWait(this.prefix, destination.name());
			return new BulkPush(this.replicated, patience, replicas).push(destination, jobs);
		}
		catch (JobStoreException ex) {
			Push push = new Push(jobs.size());
			push.failed(0, jobs.size(), ex);
			return push;
		}
	}

	/** Return the shard of an ordered job, and register the shard as a queue. */
	private Destination destination(String queue, NewJob job) {
		NewJob.Ordering ordering = Objects.requireNonNull(job.ordering());
		ShardRegistry.Count count = this.shards.current(queue, ordering.shards());
		String shard = QueueRef.ofKey(queue, ordering.key(), count.shards()).name();
		register(shard, this.calls);
		return new Destination.Shard(shard, count.version(), this.mostPayloads);
	}

	/** Add a queue to the list of queues, unless this was done within the last minute. */
	private void register(String queue, NumberedCalls calls) {
		long now = System.nanoTime();
		Long last = this.registered.get(queue);
		if (last == null || now - last > REGISTER_EVERY) {
			// There is no need to wait for this call. If the job takes another
			// connection, a list of queues may lack the name for a moment.
			calls.calls().register(queue).thenRun(() -> this.registered.put(queue, now));
		}
	}

}

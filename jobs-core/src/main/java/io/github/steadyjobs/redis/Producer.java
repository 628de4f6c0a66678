package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.EnqueueCall.Destination;
import io.github.steadyjobs.redis.JobStore.Taken;
import io.github.steadyjobs.redis.KeySpace.QueueKeys;
import io.github.steadyjobs.redis.ShardRegistry.MovedException;
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

	private final CallSlots replicatedSlots;

	private final ReplicatedPush replicated;

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
		this.replicated = new ReplicatedPush(this.replicatedSlots, connections);
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
	 * Store one job and, if it should be replicated, wait until it is.
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	Taken enqueue(String queue, NewJob job, Durability wanted) {
		while (true) {
			try {
				return enqueue(destination(queue, job), job, wanted);
			}
			catch (MovedException ex) {
				this.shards.refresh(queue, ex.version());
			}
		}
	}

	private Taken enqueue(Destination destination, NewJob job, Durability wanted) {
		if (wanted != Durability.STORED) {
			return this.replicated.push(destination, job);
		}
		Duration timeout = this.connections.commandTimeout();
		long begun = System.nanoTime();
		CallSlots.Slot slot = this.slots.take(timeout);
		try (EnqueueCall call = new EnqueueCall(this.slots, slot, destination, List.of(job), begun,
				begun + timeout.toNanos())) {
			Admission admission = call.answer(() -> call.send(this.connections.commands())).get(0);
			if (admission.kind() == Admission.Kind.FULL) {
				throw RedisErrors.keyFull();
			}
			return new Taken(admission, wanted);
		}
	}

	/**
	 * Store many jobs and, if they should be replicated, wait until they are.
	 * @param keep whether to keep calls that are not answered soon, to be sent again
	 */
	Push enqueueAll(String queue, List<NewJob> jobs, Durability wanted, boolean keep) {
		if (jobs.isEmpty() || jobs.get(0).ordering() == null) {
			register(queue, (jobs.size() == 1) ? this.commands : this.bulkCommands);
			return push(new Destination(this.keys.queue(queue), 0), jobs, wanted, keep);
		}
		return new OrderedPush(this.shards, (job) -> destination(queue, job),
				(destination, some) -> push(destination, some, wanted, keep))
			.push(queue, jobs, wanted);
	}

	private Push push(Destination destination, List<NewJob> jobs, Durability wanted, boolean keep) {
		if (wanted != Durability.STORED) {
			return this.replicated.push(destination, jobs, keep);
		}
		boolean one = jobs.size() == 1;
		BulkPush push = new BulkPush(one ? this.slots : this.bulkSlots,
				one ? this.connections.commands() : this.connections.bulk(), this.connections.commandTimeout(),
				keep ? this.connections.shortTimeout() : null);
		return push.push(destination, jobs);
	}

	/**
	 * Find out where a job goes, and register the queue for those who look at all queues.
	 */
	private Destination destination(String queue, NewJob job) {
		NewJob.Ordering ordering = job.ordering();
		String name = queue;
		int version = 0;
		if (ordering != null) {
			ShardRegistry.Count count = this.shards.current(queue, ordering.shards());
			name = Shard.ofKey(queue, ordering.key(), count.shards()).name();
			version = count.version();
		}
		QueueKeys keys = this.keys.queue(name);
		register(name, this.commands);
		return new Destination(keys, version);
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
			commands.send(CommandType.SADD, this.keys.queueNames(), queue).thenRun(() -> this.registered.put(queue, now));
		}
	}

}

package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.redis.EnqueueCall.Destination;
import org.jspecify.annotations.Nullable;

/**
 * Stores jobs of one queue or shard, in chunks. At most two are under way at once: the
 * next is written while Redis works on the previous one, and memory stays bounded. May
 * keep calls that are not answered, to be sent again, and wait until a replica has the
 * jobs. Used for one push.
 */
final class BulkPush {

	static final int SLOTS = 2;

	private static final int CHUNK_JOBS = 1000;

	private static final int CHUNK_BYTES = 1 << 20;

	/**
	 * Redis has to sort payloads of one key into those that wait, and does nothing else
	 * meanwhile.
	 */
	private static final int CHUNK_OF_KEY = 100;

	private final CallSlots slots;

	private final NodeConnections connections;

	private final Duration timeout;

	private final @Nullable Duration patience;

	private final @Nullable ReplicaWait replicas;

	private long deadline;

	private boolean answered;

	private boolean elsewhere;

	/**
	 * Create a push.
	 * @param connections where calls are sent, or sent again if they should be replicated
	 * @param timeout how long a call may be under way
	 * @param patience how long the caller waits for the answer to each call, keeping the
	 * call after that; {@code null} to wait as long as the call may be under way, and
	 * then give it up
	 * @param replicas where calls are sent that should be replicated, {@code null} if
	 * that is not asked for
	 */
	BulkPush(CallSlots slots, NodeConnections connections, Duration timeout, @Nullable Duration patience,
			@Nullable ReplicaWait replicas) {
		this.slots = slots;
		this.connections = connections;
		this.timeout = timeout;
		this.patience = patience;
		this.replicas = replicas;
	}

	Push push(Destination destination, List<NewJob> jobs) {
		Push push = new Push(jobs.size());
		Deque<Chunk> sent = new ArrayDeque<>(SLOTS);
		try {
			send(destination, jobs, push, sent);
		}
		finally {
			sent.forEach((chunk) -> chunk.finish(push));
		}
		// On a connection other than that of the push, WAIT would count replicas that
		// may not have it: if the push had been carried out by an earlier copy, or on
		// another server.
		if (this.replicas != null && this.answered && !this.elsewhere && this.replicas.isPresent()
				&& this.replicas.acknowledge(this.deadline)) {
			push.reached(Durability.REPLICATED);
		}
		return push;
	}

	private void send(Destination destination, List<NewJob> jobs, Push push, Deque<Chunk> sent) {
		long begun = System.nanoTime();
		int from = 0;
		while (!push.isBroken() && from < jobs.size()) {
			int to = jobs.size();
			this.deadline = System.nanoTime() + this.timeout.toNanos();
			try {
				to = endOfChunk(destination, jobs, from);
				Chunk previous = sent.peekLast();
				CallSlots.Slot slot = (previous == null) ? this.slots.take(patience())
						: (sent.size() < SLOTS && previous.isSent()) ? this.slots.poll() : null;
				if (slot == null) {
					sent.remove().finish(push);
					continue;
				}
				sent.add(send(
						new EnqueueCall(this.slots, slot, destination, jobs.subList(from, to), begun, this.deadline),
						from, to));
			}
			catch (Throwable ex) {
				push.failed(from, to, notSent(ex));
			}
			from = to;
		}
	}

	private Duration patience() {
		return (this.patience != null) ? this.patience : this.timeout;
	}

	/** Whatever was thrown, other chunks are under way and must be finished. */
	private static JobStoreException notSent(Throwable failure) {
		return (failure instanceof JobStoreException known) ? known
				: new JobStoreUnavailableException("The next jobs could not be sent: " + failure, failure);
	}

	private Chunk send(EnqueueCall call, int from, int to) {
		try {
			return new Chunk(call, send(call), from, to);
		}
		catch (RuntimeException | Error ex) {
			call.close();
			throw ex;
		}
	}

	private RedisCall send(EnqueueCall call) {
		return (this.replicas != null) ? call.sendTo(this.replicas.connection()) : call.send(this.connections);
	}

	static int endOfChunk(Destination destination, List<NewJob> jobs, int from) {
		Map<String, Integer> ofKeys = new HashMap<>();
		int to = from;
		long bytes = 0;
		do {
			NewJob job = jobs.get(to);
			if (destination.isShard() && ofKeys.merge(job.id(), 1, Integer::sum) > CHUNK_OF_KEY) {
				return to;
			}
			bytes += job.payload().length;
			to++;
		}
		while (to < jobs.size() && to - from < CHUNK_JOBS && bytes + jobs.get(to).payload().length <= CHUNK_BYTES);
		return to;
	}

	private final class Chunk {

		private final EnqueueCall call;

		private @Nullable RedisCall first;

		private final int from;

		private final int to;

		Chunk(EnqueueCall call, RedisCall first, int from, int to) {
			this.call = call;
			this.first = first;
			this.from = from;
			this.to = to;
		}

		/**
		 * Return whether this chunk is on its way. While a connection opens, calls that
		 * wait for it may be sent in another order.
		 */
		boolean isSent() {
			RedisCall first = this.first;
			return first != null && first.sent().isDone();
		}

		void finish(Push push) {
			try (this.call) {
				awaitAnswer(push);
			}
		}

		private void awaitAnswer(Push push) {
			Duration patience = patience();
			try {
				push.answered(this.from, answer(patience));
				BulkPush.this.answered = true;
			}
			catch (RuntimeException ex) {
				JobStoreException failure = RedisErrors.translate(ex);
				if (BulkPush.this.patience != null && failure instanceof JobStoreTimeoutException) {
					push.unanswered(this.from, new UnansweredCall(this.call, BulkPush.this.connections, patience),
							failure);
				}
				else {
					push.failed(this.from, this.to, failure);
				}
			}
		}

		private List<Admission> answer(Duration patience) {
			try {
				return this.call.answer(this::firstOrAgain, patience);
			}
			catch (JobStoreException ex) {
				if (BulkPush.this.replicas == null || !RedisErrors.isElsewhere(ex.getCause())) {
					throw ex;
				}
				// The queue is moving to another node. A call with the same number
				// through the whole cluster finds it, and stores no job twice.
				BulkPush.this.elsewhere = true;
				BulkPush.this.connections.changed();
				return this.call.answer(() -> this.call.send(BulkPush.this.connections), patience);
			}
		}

		private RedisCall firstOrAgain() {
			RedisCall answer = this.first;
			this.first = null;
			return (answer != null) ? answer : send(this.call);
		}

	}

}

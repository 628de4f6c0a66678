package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.redis.JobStore.Taken;
import io.github.steadyjobs.redis.EnqueueCall.Destination;

/**
 * Stores jobs and waits until a replica has them. Thread safe.
 */
final class ReplicatedPush {

	private final CallSlots slots;

	private final RedisConnections connections;

	private final Duration timeout;

	/**
	 * Create a push.
	 * @param slots used only here: otherwise other pushes would run out of slots while a
	 * replica is away and these are held up
	 * @param connections the connections to use
	 */
	ReplicatedPush(CallSlots slots, RedisConnections connections) {
		this.slots = slots;
		this.connections = connections;
		this.timeout = connections.commandTimeout();
	}

	/**
	 * Store one job.
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	Taken push(Destination destination, NewJob job) {
		Push push = push(destination, List.of(job), false);
		Admission admission = push.admissions()[0];
		if (admission == null) {
			throw Objects.requireNonNull(push.failure());
		}
		return new Taken(admission, push.reached());
	}

	/**
	 * Store many jobs.
	 * @param keep whether to keep calls that are not answered, to be sent again
	 */
	Push push(Destination destination, List<NewJob> jobs, boolean keep) {
		Push push = new Push(jobs.size());
		try {
			new Attempt(this.connections.replicaWait(destination.keys().get(QueuePart.META)), destination, keep)
				.push(jobs, push);
		}
		catch (JobStoreException ex) {
			push.failed(0, jobs.size(), ex);
		}
		return push;
	}

	private final class Attempt {

		private final ReplicaWait replicas;

		private final Destination destination;

		private final boolean keep;

		private final long begun = System.nanoTime();

		private long deadline;

		private boolean elsewhere;

		Attempt(ReplicaWait replicas, Destination destination, boolean keep) {
			this.replicas = replicas;
			this.destination = destination;
			this.keep = keep;
		}

		void push(List<NewJob> jobs, Push push) {
			int answered = 0;
			while (!push.isBroken() && answered < jobs.size()) {
				int to = BulkPush.endOfChunk(this.destination, jobs, answered);
				try {
					if (push(jobs.subList(answered, to), answered, push)) {
						answered = to;
					}
				}
				catch (JobStoreException ex) {
					push.failed(answered, to, ex);
				}
			}
			if (answered > 0) {
				push.reached(reached());
			}
		}

		private boolean push(List<NewJob> chunk, int from, Push push) {
			CallSlots slots = ReplicatedPush.this.slots;
			this.deadline = System.nanoTime() + ReplicatedPush.this.timeout.toNanos();
			CallSlots.Slot slot = slots.take(ReplicatedPush.this.timeout);
			try (EnqueueCall call = new EnqueueCall(slots, slot, this.destination, chunk, this.begun, this.deadline)) {
				return answer(call, from, push);
			}
		}

		private boolean answer(EnqueueCall call, int from, Push push) {
			try {
				push.answered(from, answer(call));
				return true;
			}
			catch (JobStoreTimeoutException ex) {
				if (!this.keep) {
					throw ex;
				}
				push.unanswered(from, new UnansweredCall(call, ReplicatedPush.this.connections.commands(),
						ReplicatedPush.this.connections.shortTimeout()), ex);
				return false;
			}
		}

		private List<Admission> answer(EnqueueCall call) {
			try {
				return call.answer(() -> call.sendTo(this.replicas.connection()));
			}
			catch (JobStoreException ex) {
				if (!RedisErrors.isElsewhere(ex.getCause())) {
					throw ex;
				}
				// The queue is moving to another node. A call with the same number
				// through the whole cluster finds it, and stores no job twice.
				this.elsewhere = true;
				ReplicatedPush.this.connections.nodesChanged();
				return call.answer(() -> call.send(ReplicatedPush.this.connections.commands()));
			}
		}

		private Durability reached() {
			// On a connection other than that of the push, WAIT would count replicas that
			// may not have it: if the push had been carried out by an earlier copy, or on
			// another server.
			boolean same = !this.elsewhere && this.replicas.isPresent();
			return (same && this.replicas.acknowledge(this.deadline)) ? Durability.REPLICATED : Durability.STORED;
		}

	}

}

package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
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
	 * @param slots used by nothing else: other pushes would run out of slots while a
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
		Push push = push(destination, List.of(job));
		Admission admission = push.admissions()[0];
		if (admission == null) {
			throw Objects.requireNonNull(push.failure());
		}
		return new Taken(admission, push.reached());
	}

	Push push(Destination destination, List<NewJob> jobs) {
		Push push = new Push(jobs.size());
		try {
			new Attempt(this.connections.replicaWait(destination.keys().get(QueuePart.META)), destination).push(jobs,
					push);
		}
		catch (JobStoreException ex) {
			push.failed(0, jobs.size(), ex);
		}
		return push;
	}

	private final class Attempt {

		private final ReplicaWait replicas;

		private final Destination destination;

		private final long begun = System.nanoTime();

		private long deadline;

		private boolean elsewhere;

		Attempt(ReplicaWait replicas, Destination destination) {
			this.replicas = replicas;
			this.destination = destination;
		}

		void push(List<NewJob> jobs, Push push) {
			int answered = 0;
			while (!push.isBroken() && answered < jobs.size()) {
				int to = BulkPush.endOfChunk(jobs, answered);
				try {
					push.answered(answered, push(jobs.subList(answered, to)));
					answered = to;
				}
				catch (JobStoreException ex) {
					push.failed(answered, to, ex);
				}
			}
			if (answered > 0) {
				push.reached(reached());
			}
		}

		private List<Admission> push(List<NewJob> chunk) {
			CallSlots slots = ReplicatedPush.this.slots;
			this.deadline = System.nanoTime() + ReplicatedPush.this.timeout.toNanos();
			CallSlots.Slot slot = slots.take(ReplicatedPush.this.timeout);
			try (EnqueueCall call = new EnqueueCall(slots, slot, this.destination, chunk, this.begun, this.deadline)) {
				return answer(call);
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
				// The queue is on its way to another node. What knows the whole cluster
				// finds it, with the same number, so that no job is stored twice.
				this.elsewhere = true;
				ReplicatedPush.this.connections.nodesChanged();
				return call.answer(() -> call.send(ReplicatedPush.this.connections.commands()));
			}
		}

		private Durability reached() {
			// On another connection than that of the push, WAIT would count replicas that
			// have nothing of it: those of a call that was sent again and had been
			// carried out before, or those of another server.
			boolean same = !this.elsewhere && this.replicas.isPresent();
			return (same && this.replicas.acknowledge(this.deadline)) ? Durability.REPLICATED : Durability.STORED;
		}

	}

}

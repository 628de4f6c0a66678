package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.JobStore.Push;
import io.github.steadyjobs.redis.JobStore.Taken;
import org.jspecify.annotations.Nullable;

/**
 * Stores jobs and waits until a replica has them. Thread safe.
 */
final class ReplicatedPush {

	/**
	 * Apart from those of other pushes, which would run out of slots while a replica is
	 * away and these are held up.
	 */
	private final CallSlots slots = new CallSlots();

	private final RedisConnections connections;

	private final Duration timeout;

	ReplicatedPush(RedisConnections connections) {
		this.connections = connections;
		this.timeout = connections.commandTimeout();
	}

	/**
	 * Store one job.
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	Taken push(QueueKeys keys, NewJob job) {
		Push push = push(keys, List.of(job));
		Admission admission = push.admissions()[0];
		if (admission == null) {
			throw Objects.requireNonNull(push.failure());
		}
		return new Taken(admission, push.reached());
	}

	Push push(QueueKeys keys, List<NewJob> jobs) {
		@Nullable Admission[] admissions = new Admission[jobs.size()];
		try {
			return new Attempt(this.connections.replicaLine(keys.meta()), keys).push(jobs, admissions);
		}
		catch (JobStoreException ex) {
			return new Push(admissions, Durability.STORED, ex);
		}
	}

	private final class Attempt {

		private final ReplicaLine line;

		private final ReplicaWait replicas;

		private final QueueKeys keys;

		private long deadline;

		private boolean elsewhere;

		Attempt(ReplicaLine line, QueueKeys keys) {
			this.line = line;
			this.replicas = line.replicas();
			this.keys = keys;
		}

		Push push(List<NewJob> jobs, @Nullable Admission[] admissions) {
			JobStoreException failure = null;
			int from = 0;
			while (failure == null && from < jobs.size()) {
				int to = BulkPush.endOfChunk(jobs, from);
				try {
					for (Admission admission : push(jobs.subList(from, to))) {
						admissions[from++] = admission;
					}
				}
				catch (JobStoreException ex) {
					failure = ex;
				}
			}
			return new Push(admissions, (from > 0) ? reached() : Durability.STORED, failure);
		}

		private List<Admission> push(List<NewJob> chunk) {
			this.deadline = System.nanoTime() + ReplicatedPush.this.timeout.toNanos();
			return EnqueueCall.run(ReplicatedPush.this.slots, this.keys, chunk, this::answer);
		}

		private List<Object> answer(ScriptCall call) {
			try {
				Duration timeout = ReplicatedPush.this.timeout;
				return Waiting.send(() -> call.sendTo(this.line.connection(), timeout), timeout);
			}
			catch (JobStoreException ex) {
				if (!RedisErrors.isElsewhere(ex.getCause())) {
					throw ex;
				}
				// The queue is on its way to another node. What knows the whole cluster
				// finds it, with the same number, so that no job is stored twice.
				this.elsewhere = true;
				ReplicatedPush.this.connections.nodesChanged();
				Duration timeout = ReplicatedPush.this.timeout;
				return Waiting.send(() -> call.send(ReplicatedPush.this.connections.commands(), timeout), timeout);
			}
		}

		private Durability reached() {
			// On another connection than that of the push, WAIT would count replicas that
			// have nothing of it: those of a call that was sent again and had been
			// carried out before, or those of another server.
			boolean same = !this.elsewhere && this.line.uses(this.replicas);
			return (same && this.replicas.acknowledge(this.deadline)) ? Durability.REPLICATED : Durability.STORED;
		}

	}

}

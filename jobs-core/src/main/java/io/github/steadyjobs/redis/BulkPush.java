package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.redis.JobStore.Push;
import org.jspecify.annotations.Nullable;

/**
 * Stores many jobs on a connection of its own, at most two chunks under way at once: the
 * next is written while Redis works on the one before, and memory stays bounded. Thread
 * safe.
 */
final class BulkPush {

	private static final int CHUNK_JOBS = 1000;

	private static final int CHUNK_BYTES = 1 << 20;

	private final CallSlots slots;

	private final NodeConnections connections;

	private final Duration timeout;

	private final Semaphore underWay = new Semaphore(2);

	BulkPush(CallSlots slots, NodeConnections connections, Duration timeout) {
		this.slots = slots;
		this.connections = connections;
		this.timeout = timeout;
	}

	Push push(QueueKeys keys, List<NewJob> jobs) {
		@Nullable Admission[] admissions = new Admission[jobs.size()];
		Deque<Chunk> sent = new ArrayDeque<>();
		JobStoreException failure = null;
		int from = 0;
		while (failure == null && from < jobs.size()) {
			try {
				if (!this.underWay.tryAcquire()) {
					if (sent.isEmpty()) {
						this.underWay.acquireUninterruptibly();
					}
					else {
						failure = finish(sent.remove(), admissions);
						continue;
					}
				}
				Chunk chunk = send(keys, jobs, from);
				sent.add(chunk);
				from = chunk.to;
			}
			catch (Throwable ex) {
				failure = notSent(ex);
			}
		}
		for (Chunk chunk : sent) {
			JobStoreException other = finish(chunk, admissions);
			// One that says that nothing was sent must not hide one that leaves it open.
			failure = (failure == null || other instanceof JobStoreTimeoutException) ? other : failure;
		}
		return new Push(admissions, Durability.STORED, failure);
	}

	/**
	 * Whatever it is, others are under way and have to be finished.
	 */
	private static JobStoreException notSent(Throwable failure) {
		return (failure instanceof JobStoreException known) ? known
				: new JobStoreException("The next jobs could not be sent: " + failure, failure);
	}

	private Chunk send(QueueKeys keys, List<NewJob> jobs, int from) {
		CallSlots.Slot slot = null;
		try {
			int to = endOfChunk(jobs, from);
			slot = EnqueueCall.take(this.slots);
			ScriptCall call = EnqueueCall.of(slot, keys, jobs.subList(from, to));
			return new Chunk(call, call.send(this.connections, this.timeout), slot, from, to);
		}
		catch (Throwable ex) {
			if (slot != null) {
				this.slots.giveBack(slot);
			}
			this.underWay.release();
			throw ex;
		}
	}

	private @Nullable JobStoreException finish(Chunk chunk, @Nullable Admission[] admissions) {
		try {
			List<Admission> answer = EnqueueCall.read(Waiting.send(chunk::firstOrAgain, this.timeout));
			for (int i = chunk.from; i < chunk.to; i++) {
				admissions[i] = answer.get(i - chunk.from);
			}
			return null;
		}
		catch (JobStoreException ex) {
			return ex;
		}
		finally {
			this.slots.giveBack(chunk.slot);
			this.underWay.release();
		}
	}

	static int endOfChunk(List<NewJob> jobs, int from) {
		int to = from;
		long bytes = 0;
		do {
			bytes += jobs.get(to).payload().length;
			to++;
		}
		while (to < jobs.size() && to - from < CHUNK_JOBS && bytes + jobs.get(to).payload().length <= CHUNK_BYTES);
		return to;
	}

	private final class Chunk {

		private final ScriptCall call;

		private @Nullable RedisCall first;

		private final CallSlots.Slot slot;

		private final int from;

		private final int to;

		Chunk(ScriptCall call, RedisCall first, CallSlots.Slot slot, int from, int to) {
			this.call = call;
			this.first = first;
			this.slot = slot;
			this.from = from;
			this.to = to;
		}

		RedisCall firstOrAgain() {
			RedisCall answer = this.first;
			this.first = null;
			return (answer != null) ? answer : this.call.send(BulkPush.this.connections, BulkPush.this.timeout);
		}

	}

}

package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.NumberedCalls;
import io.github.steadyjobs.redis.NumberedCalls.Slot;
import io.github.steadyjobs.redis.RedisErrors;
import io.github.steadyjobs.redis.ReplicaWait;
import org.jspecify.annotations.Nullable;

/**
 * Stores jobs of one queue or shard, in chunks. At most two chunks are under way at a
 * time: one chunk is written while Redis works on the previous chunk, and memory use
 * stays bounded. Ordered jobs are stored one chunk at a time. Can keep unanswered calls,
 * so that they can be sent again, and can wait until a replica has the jobs. Used for one
 * push.
 */
final class BulkPush {

	static final int SLOTS = 2;

	static final int CHUNK_JOBS = 1000;

	static final int CHUNK_BYTES = 1 << 20;

	private final NumberedCalls calls;

	private final Duration timeout;

	private final @Nullable Duration patience;

	private final @Nullable ReplicaWait replicas;

	private long deadline;

	private boolean answered;

	private boolean elsewhere;

	/**
	 * Create a push.
	 * @param patience how long the caller waits for the answer to each call, before the
	 * call is kept; {@code null} to wait until the deadline of the call and then give up
	 * @param replicas the connection for calls that should be replicated, {@code null} if
	 * replication is not requested
	 */
	BulkPush(NumberedCalls calls, @Nullable Duration patience, @Nullable ReplicaWait replicas) {
		this.calls = calls;
		this.timeout = calls.calls().timeout();
		this.patience = patience;
		this.replicas = replicas;
	}

	Push push(Destination destination, List<NewJob> jobs) {
		Push push = new Push(jobs.size());
		Deque<EnqueueCall> sent = new ArrayDeque<>(SLOTS);
		try {
			send(destination, jobs, push, sent);
		}
		finally {
			sent.forEach((call) -> finish(call, push));
		}
		// WAIT must be sent on the connection that executed the push. If an earlier copy
		// of the call, or another server, has executed the push, WAIT could count
		// replicas that do not have the jobs yet.
		if (this.replicas != null && this.answered && !this.elsewhere && this.replicas.acknowledge(this.deadline)) {
			push.reached(Durability.REPLICATED);
		}
		return push;
	}

	private void send(Destination destination, List<NewJob> jobs, Push push, Deque<EnqueueCall> sent) {
		long begun = System.nanoTime();
		int from = 0;
		while (!push.isBroken() && from < jobs.size()) {
			int to = jobs.size();
			this.deadline = System.nanoTime() + this.timeout.toNanos();
			try {
				to = endOfChunk(jobs, from);
				Slot slot = slot(destination, sent);
				if (slot == null) {
					finish(sent.remove(), push);
					continue;
				}
				EnqueueCall call = new EnqueueCall(slot, destination, jobs.subList(from, to), from, begun,
						this.deadline);
				call.send(this.replicas);
				sent.add(call);
			}
			catch (Throwable ex) {
				push.failed(from, to, notSent(ex));
			}
			from = to;
		}
	}

	/** Return a slot for the next chunk, {@code null} if another chunk must end first. */
	private @Nullable Slot slot(Destination destination, Deque<EnqueueCall> sent) {
		EnqueueCall previous = sent.peekLast();
		if (previous == null) {
			return this.calls.take(patience());
		}
		boolean waits = destination.keepsOrder() || sent.size() == SLOTS || !previous.isSent();
		return waits ? null : this.calls.poll();
	}

	private Duration patience() {
		return (this.patience != null) ? this.patience : this.timeout;
	}

	/** Convert any exception, because other chunks are under way and must be finished. */
	private static JobStoreException notSent(Throwable failure) {
		return (failure instanceof JobStoreException known) ? known
				: new JobStoreUnavailableException("The next jobs could not be sent: " + failure, failure);
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

	private void finish(EnqueueCall call, Push push) {
		Duration patience = patience();
		try {
			push.answered(call.first(), call.answer(patience));
			this.answered = true;
			this.elsewhere |= !call.isReplicated();
		}
		catch (RuntimeException ex) {
			JobStoreException failure = RedisErrors.translate(ex);
			if (this.patience != null && failure instanceof JobStoreTimeoutException) {
				call.keep(patience);
				push.unanswered(call.first(), call, failure);
			}
			else {
				push.failed(call.first(), call.first() + call.jobs().size(), failure);
			}
		}
		finally {
			call.close();
		}
	}

}

package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.KeySpace.QueueKeys;

/**
 * A numbered call that stores jobs. It holds a slot until it is closed. Not thread safe.
 */
final class EnqueueCall implements AutoCloseable {

	private final CallSlots slots;

	private final CallSlots.Slot slot;

	private final Destination destination;

	private final List<NewJob> jobs;

	private final long begun;

	private final long deadline;

	private boolean kept;

	/**
	 * Create a call in a slot that was taken for it.
	 * @param begun the {@link System#nanoTime()} from which the delays of the jobs count
	 * @param deadline the {@link System#nanoTime()} at which to give up
	 */
	EnqueueCall(CallSlots slots, CallSlots.Slot slot, Destination destination, List<NewJob> jobs, long begun,
			long deadline) {
		this.slots = slots;
		this.slot = slot;
		this.destination = destination;
		this.jobs = jobs;
		this.begun = begun;
		this.deadline = deadline;
	}

	/** Send the call, or send it again, to the node of the queue. */
	RedisCall send(NodeConnections connections) {
		return written().send(connections, connections.ofOneCopy(left()));
	}

	/** Send the call, or send it again, to one server. */
	RedisCall sendTo(HeldConnection held) {
		return written().sendTo(held, left());
	}

	/** Wait for the answer until the deadline. */
	List<Admission> answer(Supplier<RedisCall> sent) {
		return read(Attempts.ask(sent, left()));
	}

	/** Wait for the answer until the deadline, or for as long as the caller can. */
	List<Admission> answer(Supplier<RedisCall> sent, Duration patience) {
		Duration left = left();
		return read(Attempts.ask(sent, (left.compareTo(patience) < 0) ? left : patience));
	}

	/**
	 * Return this call with another deadline. It has the same number.
	 */
	EnqueueCall until(long deadline) {
		return new EnqueueCall(this.slots, this.slot, this.destination, this.jobs, this.begun, deadline);
	}

	/**
	 * Keep the slot for good, so that this call can be sent again after it was closed.
	 */
	void keep() {
		this.kept = true;
		this.slots.replace();
	}

	List<NewJob> jobs() {
		return this.jobs;
	}

	/** Return the {@link System#nanoTime()} before which this call was not sent. */
	long begun() {
		return this.begun;
	}

	private Duration left() {
		return Duration.ofNanos(Math.max(0, this.deadline - System.nanoTime()));
	}

	private ScriptCall written() {
		JobScript script = this.destination.isShard() ? JobScript.GATHER : JobScript.ENQUEUE;
		ScriptCall call = ScriptCall.of(script, this.destination.keys())
			.add(this.slot.name())
			.add(this.slot.number())
			.add(this.jobs.size());
		return this.destination.isShard() ? addOrdered(call.add(this.destination.version())) : addPlain(call);
	}

	private ScriptCall addOrdered(ScriptCall call) {
		long passed = passed();
		for (NewJob job : this.jobs) {
			call.add(job.id()).add(job.payload());
			addDelay(call, job, passed);
		}
		return call;
	}

	private ScriptCall addPlain(ScriptCall call) {
		boolean delayed = false;
		boolean locked = false;
		boolean expiring = false;
		for (NewJob job : this.jobs) {
			call.add(job.id()).add(job.payload());
			delayed |= job.delay() != null;
			locked |= !job.lock().isEmpty();
			expiring |= job.expiry() != null;
		}
		if (delayed || locked || expiring) {
			addLocks(call, delayed || expiring, expiring);
		}
		return call;
	}

	private void addLocks(ScriptCall call, boolean delayed, boolean expiring) {
		// Once for all jobs, so that jobs for the same time stay in order.
		long passed = passed();
		for (NewJob job : this.jobs) {
			if (expiring) {
				call.add((job.expiry() != null) ? job.expiry().after(passed) : "");
			}
			if (delayed) {
				addDelay(call, job, passed);
			}
			call.add(job.lock());
		}
	}

	private long passed() {
		return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - this.begun);
	}

	private static void addDelay(ScriptCall call, NewJob job, long passed) {
		Long delay = job.delay();
		if (delay != null && delay > passed) {
			call.add(delay - passed);
		}
		else {
			call.add("");
		}
	}

	private List<Admission> read(List<Object> answer) {
		String letters = Answers.text(answer, 0);
		MovedException.throwIf(letters);
		if (letters.equals("UPGRADE")) {
			throw new JobStoreException("A newer version of Steady Jobs has changed the layout of this queue; "
					+ "nothing was stored. Update this application.");
		}
		this.slots.checkName(letters);
		return Admission.of(letters, this.jobs.size());
	}

	@Override
	public void close() {
		if (!this.kept) {
			this.slots.giveBack(this.slot);
		}
	}

	/**
	 * Where jobs go.
	 *
	 * @param keys the queue, or the shard
	 * @param version of the number of shards by which the shard was chosen, 0 for a queue
	 * of jobs that have no order
	 */
	record Destination(QueueKeys keys, int version) {

		boolean isShard() {
			return this.version > 0;
		}

	}

}

package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.redis.KeySpace.QueueKeys;

/**
 * A numbered call that stores jobs. It has a slot until it is closed. Not thread safe.
 */
final class EnqueueCall implements AutoCloseable {

	private final CallSlots slots;

	private final CallSlots.Slot slot;

	private final QueueKeys keys;

	private final List<NewJob> jobs;

	private final long begun;

	private final long deadline;

	/**
	 * Create a call in a slot that was taken for it.
	 * @param begun the {@link System#nanoTime()} from which the delays of the jobs count
	 * @param deadline the {@link System#nanoTime()} at which to give up
	 */
	EnqueueCall(CallSlots slots, CallSlots.Slot slot, QueueKeys keys, List<NewJob> jobs, long begun, long deadline) {
		this.slots = slots;
		this.slot = slot;
		this.keys = keys;
		this.jobs = jobs;
		this.begun = begun;
		this.deadline = deadline;
	}

	/**
	 * Send the call, or send it again, to where the queue is.
	 */
	RedisCall send(NodeConnections connections) {
		return written().send(connections, connections.ofOneCopy(left()));
	}

	/**
	 * Send the call, or send it again, to one server.
	 */
	RedisCall sendTo(HeldConnection held) {
		return written().sendTo(held, left());
	}

	/**
	 * Wait for the answer to what is sent, until the deadline.
	 */
	List<Admission> answer(Supplier<RedisCall> sent) {
		return read(Answers.ask(sent, left()));
	}

	private Duration left() {
		return Duration.ofNanos(Math.max(0, this.deadline - System.nanoTime()));
	}

	private ScriptCall written() {
		ScriptCall call = ScriptCall.of(JobScript.ENQUEUE, this.keys)
			.add(this.slot.name())
			.add(this.slot.number())
			.add(this.jobs.size());
		boolean delayed = false;
		boolean locked = false;
		for (NewJob job : this.jobs) {
			call.add(job.id()).add(job.payload());
			delayed |= job.delay() != null;
			locked |= !job.lock().isEmpty();
		}
		if (delayed || locked) {
			addLocks(call, delayed);
		}
		return call;
	}

	private void addLocks(ScriptCall call, boolean delayed) {
		// Once for all, so that jobs for the same time stay in order.
		long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - this.begun);
		for (NewJob job : this.jobs) {
			if (job.delay() != null && job.delay() > passed) {
				call.add(job.delay() - passed);
			}
			else if (delayed) {
				call.add("");
			}
			call.add(job.lock());
		}
	}

	private List<Admission> read(List<Object> answer) {
		String letters = Answers.text(answer, 0);
		if (letters.equals("UPGRADE")) {
			throw new JobStoreException("A newer version of Steady Jobs has changed the layout of this queue; "
					+ "nothing was stored. Update this application.");
		}
		if (letters.equals("STALE")) {
			this.slots.rename();
			throw new JobStoreTimeoutException("Another process numbers its calls under the name of this one, as after "
					+ "both were restored from the same snapshot; the call may have been carried out. Further calls "
					+ "go under another name.", null);
		}
		return Admission.of(letters, this.jobs.size());
	}

	@Override
	public void close() {
		this.slots.giveBack(this.slot);
	}

}

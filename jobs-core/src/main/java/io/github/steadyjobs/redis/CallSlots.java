package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a producer. One call at a time is under way in each, and its number is
 * greater than that of the call before, so that Redis can tell a call that was sent again
 * from a new one, and a late one from both. Thread safe.
 */
final class CallSlots {

	/**
	 * What is left of a timeout to be answered after the wait for a slot, at most: a call
	 * that is sent without would only raise doubts.
	 */
	private static final long RESERVE = TimeUnit.SECONDS.toNanos(1);

	private final int size;

	private final Supplier<String> names;

	private final Queue<Slot> slots = new ConcurrentLinkedQueue<>();

	/**
	 * Those who wait get a slot in turn.
	 */
	private final Semaphore free;

	private volatile String producer;

	/**
	 * Create slots.
	 * @param size how many
	 * @param names makes names that nobody else has
	 */
	CallSlots(int size, Supplier<String> names) {
		this.size = size;
		this.names = names;
		this.free = new Semaphore(size, true);
		this.producer = names.get();
		for (int i = 0; i < size; i++) {
			this.slots.add(new Slot(i));
		}
	}

	/**
	 * Go on under another name, since another process may use the present one.
	 */
	void rename() {
		this.producer = this.names.get();
	}

	/**
	 * Take a slot if one is free and nobody waits for one. Cannot be interrupted.
	 */
	@Nullable Slot poll() {
		return (!this.free.hasQueuedThreads() && this.free.tryAcquire()) ? next() : null;
	}

	/**
	 * Take a slot, waiting for one if all are in use.
	 * @param timeout how long the call may take that it is for
	 * @throws JobStoreUnavailableException if none becomes free in time, or the thread is
	 * interrupted
	 */
	Slot take(Duration timeout) {
		Slot slot = poll();
		if (slot != null) {
			return slot;
		}
		Duration patience = timeout.minusNanos(Math.min(timeout.toNanos() / 4, RESERVE));
		long deadline = System.nanoTime() + patience.toNanos();
		while (true) {
			try {
				if (this.free.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
					return next();
				}
				throw new JobStoreUnavailableException(
						"This application has %d calls under way, as many as it may, and this one had no turn within %d ms; nothing was sent. Redis is slow or does not answer, or 'spring.data.redis.timeout' (%s) is too short."
							.formatted(this.size, patience.toMillis(), timeout),
						null);
			}
			catch (InterruptedException ex) {
				if (!Interrupts.arePostponed()) {
					Thread.currentThread().interrupt();
					throw RedisErrors.interrupted(ex);
				}
			}
		}
	}

	private Slot next() {
		Slot slot = this.slots.remove();
		slot.producer = this.producer;
		slot.number++;
		return slot;
	}

	/**
	 * Give a slot back, when its call was answered or nobody waits for the answer.
	 */
	void giveBack(Slot slot) {
		this.slots.add(slot);
		this.free.release();
	}

	static final class Slot {

		private final int index;

		private String producer = "";

		private long number;

		private Slot(int index) {
			this.index = index;
		}

		String name() {
			return this.producer + "/" + this.index;
		}

		long number() {
			return this.number;
		}

	}

}

package io.github.steadyjobs.redis;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a producer. Each has one call under way at a time, and numbers it one
 * higher than the call before. So Redis can tell a repeated call from a new one, and a
 * late one from both. Thread safe.
 */
final class CallSlots {

	/**
	 * How much of its timeout a call reserves at most for the answer, after the wait for
	 * a slot: a call sent without any time left would only leave its result unknown.
	 */
	private static final long RESERVE = TimeUnit.SECONDS.toNanos(1);

	private final int size;

	private final Supplier<String> names;

	private final Queue<Slot> slots = new ConcurrentLinkedQueue<>();

	/** Fair: callers get slots in order of arrival. */
	private final Semaphore free;

	private final AtomicInteger next = new AtomicInteger();

	private volatile String producer;

	/**
	 * Create slots.
	 * @param names makes unique names
	 */
	CallSlots(int size, Supplier<String> names) {
		this.size = size;
		this.names = names;
		this.free = new Semaphore(size, true);
		this.producer = names.get();
		for (int i = 0; i < size; i++) {
			this.slots.add(new Slot(this.next.getAndIncrement()));
		}
	}

	/**
	 * Continue under another name, because another process may be using the present one.
	 */
	void rename() {
		this.producer = this.names.get();
	}

	/**
	 * Continue under another name if another process uses the present one.
	 * @param answer the answer to a numbered call
	 * @throws JobStoreTimeoutException if it says so
	 */
	void checkName(String answer) {
		if (answer.equals("STALE") || answer.equals("OTHER")) {
			rename();
			throw new JobStoreTimeoutException("Another process numbers its calls under the name of this one, as after "
					+ "both were restored from the same snapshot; the call may have been carried out. Further calls "
					+ "go under another name.", null);
		}
	}

	/** Make a name that is unique among all processes. */
	static String randomName() {
		byte[] random = new byte[6];
		new SecureRandom().nextBytes(random);
		return HexFormat.of().formatHex(random);
	}

	/**
	 * Take a slot if one is free and no other caller waits. Cannot be interrupted.
	 */
	@Nullable Slot poll() {
		return (!this.free.hasQueuedThreads() && this.free.tryAcquire()) ? next() : null;
	}

	/**
	 * Take a slot, waiting for one if all are in use.
	 * @param timeout how long the call that needs the slot may take
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
						"This application has %d calls under way, which is the limit, and this one got no slot within %d ms; nothing was sent. Redis is slow or does not answer, or 'spring.data.redis.timeout' (%s) is too short."
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
		String producer = this.producer;
		if (!producer.equals(slot.producer)) {
			slot.producer = producer;
			slot.name = producer + "/" + slot.index;
		}
		slot.number++;
		return slot;
	}

	/** Give a slot back once its call was answered, or nobody waits for the answer. */
	void giveBack(Slot slot) {
		this.slots.add(slot);
		this.free.release();
	}

	/**
	 * Replace a slot that is not given back, because its call was not answered and may be
	 * sent again, which would be impossible after a later call in the same slot.
	 */
	void replace() {
		giveBack(new Slot(this.next.getAndIncrement()));
	}

	static final class Slot {

		private final int index;

		private String producer = "";

		private String name = "";

		private long number;

		private Slot(int index) {
			this.index = index;
		}

		String name() {
			return this.name;
		}

		long number() {
			return this.number;
		}

	}

}

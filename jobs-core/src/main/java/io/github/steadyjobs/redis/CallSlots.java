package io.github.steadyjobs.redis;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The slots of a producer. One call at a time is under way in each, and its number is
 * greater than that of the call before, so that Redis can tell a call that was sent again
 * from a new one, and a late one from both. Thread safe.
 */
final class CallSlots {

	private static final int SLOTS = 64;

	private final BlockingQueue<Slot> free = new ArrayBlockingQueue<>(SLOTS);

	CallSlots() {
		String producer = RandomName.of(6);
		for (int i = 0; i < SLOTS; i++) {
			this.free.add(new Slot(producer + "/" + i));
		}
	}

	/**
	 * Take a slot, waiting for one if all are in use.
	 */
	Slot take() throws InterruptedException {
		Slot slot = this.free.take();
		slot.number++;
		return slot;
	}

	/**
	 * Give a slot back, when its call was answered or nobody waits for the answer.
	 */
	void giveBack(Slot slot) {
		this.free.add(slot);
	}

	static final class Slot {

		private final String name;

		private long number;

		private Slot(String name) {
			this.name = name;
		}

		String name() {
			return this.name;
		}

		long number() {
			return this.number;
		}

	}

}

package io.github.steadyjobs.server;

import java.util.concurrent.atomic.AtomicBoolean;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.ProcessState;

/**
 * Lets one suspect at a time into this process, a job that may have killed others. All
 * queues know while it is there: should this process die too, the suspect is to blame and
 * not its neighbours. Thread safe.
 */
final class SuspectLane {

	private final Memberships memberships;

	private final AtomicBoolean taken = new AtomicBoolean();

	SuspectLane(Memberships memberships) {
		this.memberships = memberships;
	}

	boolean isFree() {
		return !this.taken.get();
	}

	/**
	 * Enter the lane, if it is free and all queues have heard of it.
	 */
	boolean enter() {
		if (!this.taken.compareAndSet(false, true)) {
			return false;
		}
		try {
			this.memberships.announce(ProcessState.SUSPECT);
			return true;
		}
		catch (JobStoreException ex) {
			leave();
			return false;
		}
	}

	/**
	 * Leave the lane. The queues hear of it with the next heartbeat.
	 */
	void leave() {
		this.memberships.calm();
		this.taken.set(false);
	}

}

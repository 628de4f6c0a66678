package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.JobStoreFullException;
import io.github.steadyjobs.redis.LivenessStore;

/**
 * Finds dead processes in queues that this process does not serve, and maybe nobody does,
 * and forgets the names of processes that are gone. One process at a time does so for
 * all, by a lease that only saves work. Used by one thread.
 */
final class AbandonedQueues {

	private static final int BEATS_TO_HOLD = 3;

	private static final long FORGET_EVERY = TimeUnit.MINUTES.toNanos(1);

	private final LivenessStore store;

	private final String process;

	private final Duration lease;

	private final DeathWatch deaths;

	private final JobRecovery recovery;

	private List<String> queues = List.of();

	private boolean holding;

	private long leasedAt;

	private long queuesReadAt;

	private long forgotAt = System.nanoTime() - FORGET_EVERY;

	/**
	 * Create a look at abandoned queues.
	 * @param interval the time between two heartbeats
	 */
	AbandonedQueues(LivenessStore store, String process, Duration interval, DeathWatch deaths, JobRecovery recovery) {
		this.store = store;
		this.process = process;
		this.lease = interval.multipliedBy(BEATS_TO_HOLD);
		this.deaths = deaths;
		this.recovery = recovery;
		this.leasedAt = System.nanoTime() - this.lease.toNanos();
		this.queuesReadAt = this.leasedAt;
	}

	/**
	 * Look once, if it is this process's turn. To be called at each heartbeat: readings
	 * that are further apart do not count.
	 * @param served the queues that need no look
	 * @param executor where jobs of dead processes are recovered
	 * @throws io.github.steadyjobs.JobStoreException if Redis is not reachable or did not
	 * answer
	 */
	void look(Collection<String> served, Executor executor) {
		long now = System.nanoTime();
		if (!isOurTurn(now)) {
			return;
		}
		if (now - this.forgotAt >= FORGET_EVERY) {
			this.forgotAt = now;
			this.store.forgetExpired();
		}
		if (now - this.queuesReadAt >= this.lease.toNanos()) {
			this.queuesReadAt = now;
			this.queues = this.store.queues();
		}
		List<String> others = new ArrayList<>(this.queues);
		others.removeAll(served);
		if (!others.isEmpty()) {
			this.store.counters(others)
				.forEach((queue, counters) -> this.deaths.read(queue, counters, System.nanoTime())
					.forEach((death) -> this.recovery.recover(death, executor)));
		}
	}

	private boolean isOurTurn(long now) {
		long age = now - this.leasedAt;
		if (age < (this.holding ? this.lease.toNanos() / 2 : this.lease.toNanos())) {
			return this.holding;
		}
		this.leasedAt = now;
		try {
			this.holding = this.store.lease(this.process, this.holding && age < this.lease.toNanos(), this.lease);
		}
		catch (JobStoreFullException ex) {
			// Nobody can hold it then, and the work has to be done all the same.
			this.holding = true;
		}
		return this.holding;
	}

}

package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.redis.LivenessStore;

/**
 * Looks after dead processes in queues that this process does not serve, and maybe nobody
 * does, and forgets the names of those that are gone. One process at a time does so for
 * all, by a lease that only saves work. Used by one thread.
 */
final class Sweeper {

	private static final int BEATS_TO_HOLD = 3;

	private static final long FORGET_EVERY = TimeUnit.MINUTES.toNanos(1);

	private final LivenessStore store;

	private final String process;

	private final Duration interval;

	private final DeathWatch watch;

	private final Reaper reaper;

	private boolean holding;

	private long since;

	private long forgotten = System.nanoTime() - FORGET_EVERY;

	Sweeper(LivenessStore store, String process, Duration interval, DeathWatch watch, Reaper reaper) {
		this.store = store;
		this.process = process;
		this.interval = interval;
		this.watch = watch;
		this.reaper = reaper;
	}

	/**
	 * Look once, if it is this process's turn.
	 * @param served the queues that need no look
	 * @param executor where dead processes are taken out of their queues
	 */
	void sweep(Collection<String> served, Executor executor) {
		Duration lease = this.interval.multipliedBy(BEATS_TO_HOLD);
		long now = System.nanoTime();
		boolean held = this.holding && now - this.since < lease.toNanos();
		this.holding = this.store.lease(this.process, held, lease);
		if (!this.holding) {
			return;
		}
		this.since = now;
		if (now - this.forgotten >= FORGET_EVERY) {
			this.forgotten = now;
			this.store.forgetExpired();
		}
		List<String> queues = new ArrayList<>(this.store.queues());
		queues.removeAll(served);
		this.store.counters(queues)
			.forEach((queue, counters) -> this.watch.read(queue, counters, System.nanoTime())
				.forEach((death) -> this.reaper.reclaim(death, executor)));
	}

}

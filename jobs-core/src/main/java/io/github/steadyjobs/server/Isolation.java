package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.LivenessStore;
import io.github.steadyjobs.server.WorkerSettings.Liveness;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs suspects, which are jobs that may have killed processes, with nothing beside them.
 * If this process dies as well, it is clear which job is to blame.
 * <p>
 * One process at a time does so, the one with the lease, which only saves capacity. It
 * claims nothing, waits until all that it has claimed has ended and is settled, runs one
 * suspect after another, and goes on as before. A process whose jobs take too long gives
 * up, so that others try, and has twice the patience the next time: where all jobs take
 * long, suspects must not wait for ever. Thread safe.
 */
final class Isolation {

	private static final long LOOK_EVERY = Duration.ofMillis(10).toNanos();

	private static final int BEATS_OF_LEASE = 3;

	private static final int MOST_TURNS = 32;

	private static final Logger logger = LoggerFactory.getLogger(Isolation.class);

	private final Presence presence;

	private final LivenessStore store;

	private final List<Manager> managers;

	private final long turn;

	private final Duration lease;

	private final AtomicBoolean underWay = new AtomicBoolean();

	private volatile long nextTry = System.nanoTime();

	private volatile boolean stopped;

	private long leasedAt;

	private long patience;

	/**
	 * Create isolation.
	 * @param liveness its {@code deathAfter} is also how long this process first waits
	 * for its jobs to end, and then how long it runs only suspects
	 */
	Isolation(Presence presence, LivenessStore store, List<Manager> managers, Liveness liveness) {
		this.presence = presence;
		this.store = store;
		this.managers = managers;
		this.turn = liveness.deathAfter().toNanos();
		this.patience = this.turn;
		this.lease = liveness.beat().multipliedBy(BEATS_OF_LEASE);
	}

	/**
	 * Take note that a queue has suspects. Returns at once.
	 */
	void found(String queue) {
		if (!this.stopped && System.nanoTime() - this.nextTry >= 0 && this.underWay.compareAndSet(false, true)) {
			try {
				Thread thread = new Thread(() -> run(queue), "jobs-suspects");
				thread.setDaemon(true);
				thread.start();
			}
			catch (Throwable ex) {
				// Such as the refusal of a new thread.
				logger.warn("Jobs of queue {} that may have killed processes wait for a thread", queue, ex);
				end(this.turn);
			}
		}
	}

	/**
	 * Run no more suspects. One that runs ends with its capsule.
	 */
	void stop() {
		this.stopped = true;
	}

	private void run(String queue) {
		long pause = this.lease.toNanos();
		boolean leased = false;
		try {
			leased = lease(false);
			if (leased) {
				this.presence.setOpen(false);
				if (awaitIdle(this.patience)) {
					pause = 0;
					this.patience = this.turn;
					runSuspects(queue);
				}
				else {
					pause = this.patience;
					this.patience = Math.min(2 * this.patience, MOST_TURNS * this.turn);
					logger.info("Jobs of queue {} that may have killed processes wait for a process that can run them "
							+ "alone: jobs of this one take too long", queue);
				}
			}
		}
		catch (JobStoreException ex) {
			logger.debug("Suspects of queue {} are left for later", queue, ex);
		}
		catch (Throwable ex) {
			logger.error("Suspects of queue {} are left for later", queue, ex);
		}
		finally {
			this.presence.setOpen(true);
			if (leased) {
				endLease();
			}
			end(pause + ThreadLocalRandom.current().nextLong(this.lease.toNanos()));
		}
	}

	private void end(long pause) {
		this.nextTry = System.nanoTime() + pause;
		this.underWay.set(false);
		this.managers.forEach(Manager::look);
	}

	private void runSuspects(String queue) throws Exception {
		Manager manager = this.managers.stream()
			.filter((candidate) -> candidate.serves(queue))
			.findFirst()
			.orElseThrow();
		long end = System.nanoTime() + this.turn;
		boolean found = true;
		while (found && System.nanoTime() - end < 0 && !this.stopped) {
			long before = manager.claimedEver();
			manager.claimSuspect(queue).get(this.turn, TimeUnit.NANOSECONDS);
			// A suspect that takes long is alone for a while, not for ever.
			found = awaitIdle(this.turn) && manager.claimedEver() > before;
		}
	}

	private boolean awaitIdle(long patience) {
		long end = System.nanoTime() + patience;
		while (!this.managers.stream().allMatch(Manager::isIdle)) {
			if (System.nanoTime() - end >= 0 || this.stopped) {
				return false;
			}
			if (System.nanoTime() - this.leasedAt >= this.lease.toNanos() / BEATS_OF_LEASE) {
				lease(true);
			}
			LockSupport.parkNanos(this, LOOK_EVERY);
		}
		return !this.stopped;
	}

	private boolean lease(boolean held) {
		this.leasedAt = System.nanoTime();
		return this.store.leaseSuspects(this.presence.process(), held, this.lease);
	}

	private void endLease() {
		try {
			this.store.endLeaseOfSuspects();
		}
		catch (JobStoreException ex) {
			logger.debug("The lease ends by itself", ex);
		}
	}

}

package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.server.WorkerSettings.Liveness;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs suspects (jobs that may have killed processes) while nothing else runs. If this
 * process then dies too, it is clear which job is to blame.
 * <p>
 * A process runs suspects when it starts, before it claims other jobs, and when it is
 * idle at a heartbeat. Suspects then take no time from other jobs. If all processes are
 * always busy, one process stops claiming for a while when a suspect has waited for ten
 * minutes. After every further ten minutes, another process does so. A process takes a
 * lease first, so that no two processes stop claiming at the same time. If two processes
 * did so all the same, this would only cost time. Thread safe.
 */
final class Isolation implements PresenceListener {

	/**
	 * How long suspects wait before a busy process makes room for them. After each
	 * further wait of this length, the next process makes room.
	 */
	private static final Duration PATIENCE = Duration.ofMinutes(10);

	/** The longest wait for joins, so that a slow queue does not delay the others. */
	private static final Duration LONGEST_START = Duration.ofMillis(500);

	private static final long LOOK_EVERY = Duration.ofMillis(10).toNanos();

	private static final int BEATS_OF_LEASE = 3;

	private static final Logger logger = LoggerFactory.getLogger(Isolation.class);

	private final Presence presence;

	private final LivenessStore store;

	private final List<Manager> managers;

	private final Duration turn;

	private final Duration lease;

	/** Whether suspects are being run or, during the start, searched for. */
	private final AtomicBoolean underWay = new AtomicBoolean(true);

	/** The number of the last turn in which this process made room, by queue. */
	private final Map<String, Long> turns = new ConcurrentHashMap<>();

	private volatile boolean stopped;

	private long leasedAt;

	/**
	 * Create an instance.
	 * @param liveness the timing; {@code deathAfter} is also how long this process may
	 * claim nothing but suspects
	 */
	Isolation(Presence presence, LivenessStore store, List<Manager> managers, Liveness liveness) {
		this.presence = presence;
		this.store = store;
		this.managers = managers;
		this.turn = liveness.deathAfter();
		this.lease = liveness.beat().multipliedBy(BEATS_OF_LEASE);
	}

	/**
	 * Join all queues, run their suspects, and then let this process claim other jobs.
	 * Returns at once.
	 */
	void begin() {
		try {
			join();
		}
		catch (Throwable ex) {
			// Even after an error, this process must be able to claim jobs again.
			end();
			throw ex;
		}
	}

	private void join() {
		Map<String, CompletableFuture<Beat>> joins = new LinkedHashMap<>();
		this.managers.forEach((manager) -> manager.capsule()
			.parts()
			.forEach((queue) -> joins.computeIfAbsent(queue, this.presence::join)));
		CompletableFuture.allOf(joins.values().toArray(CompletableFuture<?>[]::new))
			.orTimeout(LONGEST_START.toMillis(), TimeUnit.MILLISECONDS)
			.whenComplete((joined, failure) -> {
				List<String> found = joins.entrySet()
					.stream()
					.filter((join) -> hasSuspects(join.getValue()))
					.map(Map.Entry::getKey)
					.toList();
				if (found.isEmpty()) {
					end();
				}
				else {
					start(found, Duration.ZERO);
				}
			});
	}

	private static boolean hasSuspects(CompletableFuture<Beat> answer) {
		return answer.isDone() && !answer.isCompletedExceptionally() && answer.join().suspects().count() > 0;
	}

	@Override
	public void answered(String queue, Beat beat) {
		if (beat.suspects().count() == 0) {
			return;
		}
		Duration patience = isIdle() ? Duration.ZERO : isOurTurn(queue, beat) ? this.turn : null;
		if (patience != null && !this.stopped && this.underWay.compareAndSet(false, true)) {
			start(List.of(queue), patience);
		}
	}

	/**
	 * Decide whether it is this process's turn to make room for suspects. All processes
	 * of the queue compute the same turns, and the turn passes to another process every
	 * ten minutes, so no communication is needed.
	 */
	private boolean isOurTurn(String queue, Beat beat) {
		long number = beat.suspects().waited().dividedBy(PATIENCE);
		List<String> processes = beat.counters().keySet().stream().sorted().toList();
		return number > 0 && processes.get((int) (number % processes.size())).equals(this.presence.joined().get(queue))
				&& !Long.valueOf(number).equals(this.turns.put(queue, number));
	}

	/** Start no more suspects. A running suspect is stopped with its capsule. */
	void stop() {
		this.stopped = true;
	}

	private void start(List<String> queues, Duration patience) {
		try {
			Thread thread = new Thread(() -> run(queues, patience), "jobs-suspects");
			thread.setDaemon(true);
			thread.start();
		}
		catch (Throwable ex) {
			// For example, no new thread could be started.
			logger.warn("Jobs of {} that may have killed processes wait for a thread", queues, ex);
			end();
		}
	}

	private void run(List<String> queues, Duration patience) {
		boolean leased = false;
		try {
			leased = lease(false);
			if (leased) {
				this.presence.setOpen(false);
				// Make the fetchers take back the claims that wait for hints.
				this.managers.forEach((manager) -> manager.fetcher().look());
				// Jobs that were claimed at the last moment become visible only now.
				if (awaitIdle(System.nanoTime() + patience.toNanos())) {
					long end = System.nanoTime() + this.turn.toNanos();
					for (String queue : queues) {
						runSuspects(queue, end);
					}
				}
			}
		}
		catch (JobStoreException ex) {
			logger.debug("Suspects of {} are left for later", queues, ex);
		}
		catch (Throwable ex) {
			logger.error("Suspects of {} are left for later", queues, ex);
		}
		finally {
			if (leased) {
				endLease();
			}
			end();
		}
	}

	private void end() {
		this.presence.setOpen(true);
		this.underWay.set(false);
		this.managers.forEach((manager) -> manager.fetcher().look());
	}

	private void runSuspects(String queue, long end) throws Exception {
		Manager manager = this.managers.stream()
			.filter((candidate) -> candidate.capsule().parts().contains(queue))
			.findFirst()
			.orElseThrow();
		boolean found = true;
		while (found && System.nanoTime() - end < 0 && !this.stopped) {
			long before = manager.workQueue().begun();
			manager.fetcher().claimSuspect(queue).get(this.turn.toNanos(), TimeUnit.NANOSECONDS);
			// A suspect that takes a long time runs alone only until the turn ends.
			found = awaitIdle(end) && manager.workQueue().begun() > before;
		}
	}

	private boolean isIdle() {
		return this.managers.stream().allMatch(Manager::isIdle);
	}

	private boolean awaitIdle(long end) {
		while (!isIdle()) {
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

package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.server.JobRecovery.Death;
import io.github.steadyjobs.server.WorkerSettings.Liveness;

/**
 * Decides which processes are dead, and starts the recovery of their jobs. A process is
 * dead if its heartbeat counter has not changed for a while, measured by the clock of
 * this process alone. Time counts only while this process reads the counters without
 * gaps. Otherwise a stall of Redis or a pause of this process would look like the death
 * of all other processes. After a gap, live processes get some time to send heartbeats
 * again. Thread safe, except for {@link #lookAtOthers}.
 */
final class DeathWatch implements PresenceListener {

	private static final int BEATS_OF_LEASE = 8;

	private static final long FORGET_EVERY = TimeUnit.MINUTES.toNanos(1);

	private final LivenessStore store;

	private final String process;

	private final Liveness times;

	private final JobRecovery recovery;

	private final ForgottenQueues forgotten;

	private final Executor chores;

	private final long longestGap;

	private final Map<String, Readings> readings = new HashMap<>();

	private List<String> queues = List.of();

	private boolean leased;

	private long leasedAt;

	private long forgotAt = System.nanoTime() - FORGET_EVERY;

	private long queuesReadAt;

	/**
	 * Create a watch.
	 * @param times the timing: there is a gap between two readings if more than a third
	 * of {@link Liveness#deathAfter()} lies between them, and no process is found dead
	 * until half of {@code deathAfter} has passed after a gap
	 * @param chores runs the recovery of the jobs of dead processes
	 */
	DeathWatch(LivenessStore store, String process, Liveness times, JobRecovery recovery, ForgottenQueues forgotten,
			Executor chores) {
		this.store = store;
		this.process = process;
		this.times = times;
		this.recovery = recovery;
		this.chores = chores;
		this.forgotten = forgotten;
		this.longestGap = times.deathAfter().toNanos() / 3;
		this.leasedAt = System.nanoTime() - lease();
		this.queuesReadAt = this.leasedAt;
	}

	@Override
	public void answered(String queue, Beat beat) {
		seen(queue, beat.counters());
	}

	/** Record the counters of a queue, and recover the jobs of dead processes. */
	private void seen(String queue, Map<String, Long> counters) {
		read(queue, counters, System.nanoTime()).forEach((death) -> this.recovery.recover(death, this.chores));
	}

	/**
	 * Record the counters of a queue.
	 * @param counters the heartbeat counter of each process
	 * @return the processes that are dead
	 */
	synchronized List<Death> read(String queue, Map<String, Long> counters, long now) {
		Readings readings = this.readings.computeIfAbsent(queue, (name) -> new Readings(now));
		long passed = now - readings.last;
		if (passed > this.longestGap) {
			// Perhaps no process could send a heartbeat during the gap.
			readings.since = now;
			passed = 0;
		}
		readings.last = now;
		boolean steady = now - readings.since >= this.times.deathAfter().toNanos() / 2;
		readings.sightings.keySet().retainAll(counters.keySet());
		List<Death> deaths = new ArrayList<>();
		for (Map.Entry<String, Long> counter : counters.entrySet()) {
			Sighting sighting = readings.sightings.get(counter.getKey());
			if (sighting == null || sighting.counter != counter.getValue()) {
				readings.sightings.put(counter.getKey(), new Sighting(counter.getValue()));
				continue;
			}
			sighting.observed += passed;
			// If the counter is fenced, another process has begun the recovery, and has
			// had one heartbeat interval to complete it.
			if (counter.getValue() == Beat.FENCED_COUNTER
					|| (steady && sighting.observed >= this.times.deathAfter().toNanos())) {
				deaths.add(new Death(queue, counter.getKey(), counter.getValue()));
			}
		}
		return deaths;
	}

	/**
	 * Check the queues that this process does not serve, because possibly no process
	 * serves them. Also forget the names of unused queues and of processes that are gone.
	 * Only the process that holds the lease does this, on behalf of all processes; the
	 * lease only avoids duplicate work. Must be called by one thread at a time, and with
	 * each heartbeat, because a longer pause would count as a gap between readings.
	 * @param served the queues that this process serves, which are not checked
	 * @throws io.github.steadyjobs.JobStoreException if Redis is not reachable or did not
	 * answer
	 */
	void lookAtOthers(Collection<String> served) {
		long now = System.nanoTime();
		if (!isOurTurn(now)) {
			return;
		}
		boolean forgets = now - this.forgotAt >= FORGET_EVERY;
		if (forgets || now - this.queuesReadAt >= lease()) {
			this.queuesReadAt = now;
			this.queues = this.store.queues();
		}
		Set<String> others = new LinkedHashSet<>(this.queues);
		others.removeAll(served);
		keepOnly(others, served);
		if (forgets) {
			this.forgotAt = now;
			this.store.forgetExpired();
			this.forgotten.look(others, now);
		}
		if (!others.isEmpty()) {
			this.store.counters(others).forEach(this::seen);
		}
	}

	private synchronized void keepOnly(Set<String> others, Collection<String> served) {
		this.readings.keySet().removeIf((queue) -> !others.contains(queue) && !served.contains(queue));
	}

	private boolean isOurTurn(long now) {
		long age = now - this.leasedAt;
		if (age < (this.leased ? lease() / 2 : lease())) {
			return this.leased;
		}
		this.leasedAt = now;
		try {
			this.leased = this.store.lease(this.process, this.leased && age < lease(),
					this.times.beat().multipliedBy(BEATS_OF_LEASE));
		}
		catch (JobStoreException ex) {
			if (ex.reason() != JobStoreException.Reason.FULL) {
				throw ex;
			}
			// While Redis is full, no process can hold the lease, but the work still has
			// to be done.
			this.leased = true;
		}
		return this.leased;
	}

	private long lease() {
		return BEATS_OF_LEASE * this.times.beat().toNanos();
	}

	/** A counter value and how long it has been unchanged. */
	private static final class Sighting {

		private final long counter;

		/** How long the counter has been unchanged, excluding gaps between readings. */
		private long observed;

		Sighting(long counter) {
			this.counter = counter;
		}

	}

	private static final class Readings {

		private final Map<String, Sighting> sightings = new HashMap<>();

		private long last;

		/** When the counters were first read after the last gap. */
		private long since;

		Readings(long now) {
			this.last = now;
			this.since = now;
		}

	}

}

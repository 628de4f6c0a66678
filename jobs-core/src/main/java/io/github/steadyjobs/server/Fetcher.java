package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.WakeLine;
import io.github.steadyjobs.server.QueueOrder.Plan;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fetch loop of a capsule: workers first, then jobs for them. What is fetched starts
 * at once and never waits here while another process is idle.
 */
final class Fetcher implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Fetcher.class);

	private static final long PAUSE_AFTER_FAILURE = Duration.ofMillis(500).toNanos();

	/**
	 * Looks that only a time asks for are kept this far apart, and as much again at
	 * random, so that many idle fetchers are no herd.
	 */
	private static final long BETWEEN_TIMED_LOOKS = Duration.ofMillis(10).toNanos();

	private final FetchGate gate;

	private final Claimer claimer;

	private final QueueOrder order;

	private final WakeLine wakeLine;

	private final Acknowledger acknowledger;

	private final Outage outage;

	private final Set<String> hinted = new LinkedHashSet<>();

	private boolean busy = true;

	private long nextTimedLook = System.nanoTime();

	private volatile boolean ended;

	Fetcher(FetchGate gate, Claimer claimer, QueueOrder order, WakeLine wakeLine, Acknowledger acknowledger,
			Outage outage) {
		this.gate = gate;
		this.claimer = claimer;
		this.order = order;
		this.wakeLine = wakeLine;
		this.acknowledger = acknowledger;
		this.outage = outage;
	}

	@Override
	public void run() {
		while (!this.gate.isClosed()) {
			try {
				fetch();
			}
			catch (JobStoreException ex) {
				logger.debug("Fetching failed, trying again", ex);
				this.acknowledger.sendAtOnce();
				this.gate.pause(PAUSE_AFTER_FAILURE);
			}
			catch (Throwable ex) {
				// A fetch loop that has ended does not come back.
				logger.error("Fetching failed, trying again", ex);
				this.outage.unexpected(ex);
				this.acknowledger.sendAtOnce();
				this.gate.pause(PAUSE_AFTER_FAILURE);
			}
		}
		this.acknowledger.sendAtOnce();
		putHintsBack();
		resolveUnanswered();
	}

	/**
	 * Go on until every claim is answered: what it brings goes back to its queue.
	 */
	private void resolveUnanswered() {
		while (this.claimer.hasUnanswered() && !this.ended) {
			try {
				this.claimer.repeatUnanswered();
				this.claimer.throwFailure();
			}
			catch (JobStoreException ex) {
				LockSupport.parkNanos(this, PAUSE_AFTER_FAILURE);
			}
		}
	}

	/**
	 * Give up claims that have no answer yet, as the process leaves its queues.
	 */
	void end() {
		this.ended = true;
	}

	private void fetch() {
		this.gate.releaseWorkers(this.claimer.repeatUnanswered());
		if (!this.gate.hasFreeWorkers()) {
			// Others may be able to follow the hints that nobody here can.
			putHintsBack();
			// Workers reserved for a claim without answer come back by a repeat only: a
			// wait
			// for a free one might never end.
			this.claimer.throwFailure();
		}
		if (this.busy) {
			this.acknowledger.leaveToFetcher(!this.gate.hasFreeWorkers());
		}
		else {
			this.acknowledger.sendAtOnce();
		}
		int free = this.gate.takeWorkers();
		collectHints();
		if (free == 0) {
			putHintsBack();
			return;
		}
		int unused = free;
		try {
			if (this.busy) {
				unused = fetchAsPlanned(free);
				this.busy = unused == 0;
			}
			else {
				Set<String> queues = queuesToLookAt();
				if (!queues.isEmpty()) {
					unused = fetchFrom(queues, free);
					this.busy = this.claimer.hasMore();
				}
			}
		}
		finally {
			this.gate.releaseWorkers(unused);
		}
		this.claimer.throwFailure();
		if (unused == free && !this.busy) {
			idle();
		}
	}

	private int fetchAsPlanned(int free) {
		Plan plan = this.order.plan(free);
		int unused = claim(plan.shares());
		for (String queue : plan.order()) {
			if (unused == 0 || this.claimer.hasFailed()) {
				break;
			}
			if (!plan.shares().containsKey(queue) || this.claimer.hasMore(queue)) {
				unused = claim(Map.of(queue, unused));
			}
		}
		return unused;
	}

	private int fetchFrom(Set<String> queues, int free) {
		Map<String, Integer> shares = new LinkedHashMap<>();
		int share = Math.max(1, free / queues.size());
		int unused = free;
		for (String queue : queues) {
			int given = Math.min(share, unused);
			if (given > 0) {
				shares.put(queue, given);
				unused -= given;
			}
		}
		String first = queues.iterator().next();
		shares.merge(first, unused, Integer::sum);
		return claim(shares);
	}

	private int claim(Map<String, Integer> shares) {
		this.hinted.removeAll(shares.keySet());
		return this.claimer.claim(shares);
	}

	private Set<String> queuesToLookAt() {
		if (this.claimer.withdrawn().stream().anyMatch(this.hinted::contains)) {
			// Of no use here.
			putHintsBack();
		}
		Set<String> queues = new LinkedHashSet<>(this.hinted);
		long now = System.nanoTime();
		if (now - this.nextTimedLook >= 0) {
			List<String> due = this.claimer.due(now);
			if (!due.isEmpty()) {
				this.nextTimedLook = now + BETWEEN_TIMED_LOOKS
						+ ThreadLocalRandom.current().nextLong(BETWEEN_TIMED_LOOKS);
				queues.addAll(due);
			}
		}
		return queues;
	}

	private void idle() {
		long listenAgain = listen();
		long now = System.nanoTime();
		this.gate.awaitHint(Math.min(listenAgain, Math.max(this.claimer.untilLook(now), this.nextTimedLook - now)));
	}

	private long listen() {
		this.claimer.withdrawn().forEach(this.wakeLine::leaveOut);
		try {
			long again = this.wakeLine.listen(this.gate::hint);
			this.outage.succeeded(this);
			return again;
		}
		catch (JobStoreException ex) {
			if (!this.gate.isClosed()) {
				this.outage.failed(this, ex);
			}
			throw ex;
		}
	}

	private void collectHints() {
		String hint = this.gate.nextHint();
		while (hint != null) {
			this.hinted.add(hint);
			hint = this.gate.nextHint();
		}
	}

	private void putHintsBack() {
		collectHints();
		try {
			this.hinted.forEach(this.wakeLine::putBack);
		}
		catch (JobStoreException ex) {
			logger.debug("Hints for queues {} were lost; others look there within seconds", this.hinted, ex);
		}
		this.hinted.clear();
	}

}

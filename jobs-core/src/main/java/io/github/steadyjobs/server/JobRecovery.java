package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.RunCutShortException;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.QueueRef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovers the jobs of dead processes: removes a dead process from its queues, puts its
 * jobs back, and moves jobs that must not run again to the dead set. Any process may
 * recover the jobs of any other process, even if other processes do the same: each step
 * passes the heartbeat counter that was read, and does nothing if the counter has
 * changed. Any thread may call {@link #recover}. Everything else happens on the single
 * recovery thread and, after that thread has ended, on the thread that leaves the queues.
 */
final class JobRecovery {

	private static final Logger logger = LoggerFactory.getLogger(JobRecovery.class);

	private final LivenessStore store;

	private final WorkStore works;

	private final WorkerSettings settings;

	private final JobRetry retry;

	private final Hooks hooks;

	private final WorkerEvents events;

	private final Set<Death> underWay = ConcurrentHashMap.newKeySet();

	private final QueueNotices deaths = new QueueNotices(this::logDeaths);

	private final QueueNotices strays = new QueueNotices((queues) -> logger
		.warn("Redis recorded jobs as held by this process, which did not run them: older data, or an error. Put "
				+ "back or dead now: {}", queues));

	JobRecovery(LivenessStore store, WorkStore works, WorkerSettings settings, JobRetry retry, Hooks hooks,
			WorkerEvents events) {
		this.store = store;
		this.works = works;
		this.settings = settings;
		this.retry = retry;
		this.hooks = hooks;
		this.events = events;
	}

	/**
	 * Recover the jobs of a dead process, unless this is already under way.
	 * @param executor the recovery thread
	 */
	void recover(Death death, Executor executor) {
		if (this.underWay.add(death)) {
			executor.execute(() -> attempt(death));
		}
	}

	private void attempt(Death death) {
		try {
			recover(death);
		}
		catch (JobStoreException ex) {
			// The next reading will find the process dead again.
			logger.warn("Jobs of the dead process {} in queue {} are not all back yet: {}", death.process(),
					death.queue(), ex.getMessage());
		}
		finally {
			this.underWay.remove(death);
		}
	}

	private void recover(Death death) {
		int crashes = this.settings.liveness().maxCrashes();
		Tally tally = takeOut(death.queue(), death.process(), "died",
				() -> this.store.recover(death.queue(), death.process(), death.counter(), crashes));
		if (tally.last() == RecoveryStep.Status.OK
				|| (tally.last() == RecoveryStep.Status.GONE && tally.returned() + tally.dead() > 0)) {
			String place = death.process() + " in " + death.queue();
			this.deaths.add(place, counts(place, tally.returned(), tally.dead()));
			this.events.publish(new WorkerEvent.Recovered(QueueRef.queueOf(death.queue()), death.process(),
					tally.returned(), tally.dead()));
		}
	}

	/** Take all jobs of a process out of a queue, step by step. */
	private Tally takeOut(String queue, String process, String how, Supplier<RecoveryStep> steps) {
		long returned = 0;
		long dead = 0;
		RecoveryStep step;
		do {
			step = steps.get();
			returned += step.moved();
			for (RecoveryStep.Doomed doomed : step.doomed()) {
				bury(doomed, how);
				dead++;
			}
			if (step.left() > 0 && step.moved() == 0 && step.doomed().isEmpty()) {
				throw new JobStoreException(
						"No job of process %s can be taken out of queue %s".formatted(process, queue));
			}
		}
		while (step.left() > 0);
		return new Tally(step.status(), returned, dead);
	}

	private void logDeaths(String places) {
		logger.warn("Processes that gave no sign of life for {} s count as dead: {}",
				this.settings.liveness().deathAfter().toSeconds(), places);
	}

	private static String counts(String place, long returned, long dead) {
		return "%s (%d back, %d dead)".formatted(place, returned, dead);
	}

	/**
	 * Log all deaths and returned jobs, unless more were added since the previous call.
	 * Called with each heartbeat.
	 * @param all whether to log now, without waiting for more entries
	 */
	void report(boolean all) {
		this.deaths.report(all);
		this.strays.report(all);
	}

	/**
	 * Remove this process from a queue.
	 * @return how many jobs the process still held
	 */
	long leave(String queue, String process) {
		Tally tally = takeOut(queue, process, "stopped", () -> this.store.leave(queue, process));
		return tally.returned() + tally.dead();
	}

	/**
	 * Give back jobs that are recorded as held by this process but are not running here.
	 * Jobs that must not run twice become dead instead.
	 */
	void putBack(String queue, String process, Collection<JobToken> strays) {
		long dead = 0;
		List<JobToken> returned = new ArrayList<>();
		for (JobToken token : strays) {
			byte[] payload = token.isOnce() ? this.store.payload(token) : null;
			if (payload != null) {
				bury(new RecoveryStep.Doomed(token, payload, 0), "lost it");
				dead++;
			}
			else {
				returned.add(token);
			}
		}
		for (int from = 0; from < returned.size(); from += WorkStore.SETTLED_AT_ONCE) {
			int to = Math.min(from + WorkStore.SETTLED_AT_ONCE, returned.size());
			this.works.await(this.works.settle(returned.subList(from, to), Outcome.RELEASED));
		}
		if (!strays.isEmpty()) {
			this.strays.add(queue, counts(queue, returned.size(), dead));
			this.events.publish(new WorkerEvent.Recovered(QueueRef.queueOf(queue), process, returned.size(), dead));
		}
	}

	private void bury(RecoveryStep.Doomed doomed, String how) {
		RunCutShortException reason = (doomed.crashes() > 0)
				? this.retry.crashed(doomed.token().process(), doomed.crashes())
				: this.retry.mayHaveRun(doomed.token().process(), how);
		Outcome.Failed death = this.retry.dead(doomed.token(), doomed.payload(), reason, null);
		this.hooks.tellOfDeath(death.failure(),
				this.works.await(this.works.settle(List.of(doomed.token()), death)).get(0));
		logger.error("Job {} of queue {} is dead: {}", doomed.token().id(), doomed.token().queue(),
				reason.getMessage());
	}

	/**
	 * A process that was found to be dead when the counters of a queue were read.
	 *
	 * @param counter the heartbeat counter that was read
	 */
	record Death(String queue, String process, long counter) {

	}

	private record Tally(RecoveryStep.Status last, long returned, long dead) {

	}

}

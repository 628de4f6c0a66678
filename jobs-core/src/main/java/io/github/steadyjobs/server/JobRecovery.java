package io.github.steadyjobs.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.RunCutShortException;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.LivenessStore;
import io.github.steadyjobs.redis.Recovery;
import io.github.steadyjobs.redis.Shard;
import io.github.steadyjobs.redis.WorkStore;
import io.github.steadyjobs.server.DeathWatch.Death;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovers the jobs of dead processes: takes a process out of its queues and puts its
 * jobs back, or buries those that must not run again. Any process may do it for any
 * other, even several at a time: each step names the heartbeat counter that was seen, and
 * changes nothing if it has moved since. Thread safe.
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
	 * Recover the jobs of a dead process, unless that is under way.
	 */
	void recover(Death death, Executor executor) {
		if (this.underWay.add(death)) {
			executor.execute(() -> {
				try {
					recover(death);
				}
				catch (JobStoreException ex) {
					// It is found dead again with the next reading.
					logger.warn("Jobs of the dead process {} in queue {} are not all back yet: {}", death.process(),
							death.queue(), ex.getMessage());
				}
				finally {
					this.underWay.remove(death);
				}
			});
		}
	}

	private void recover(Death death) {
		Tally tally = new Tally(death.queue(), death.process(), "died");
		int crashes = this.settings.liveness().maxCrashes();
		Recovery step;
		do {
			step = this.store.recover(death.queue(), death.process(), death.counter(), crashes);
			tally.add(step);
		}
		while (step.left() > 0);
		if (step.status() != Recovery.Status.ALIVE && (tally.returned + tally.dead > 0 || !tally.wasGone)) {
			logger.warn(
					"Process {} gave no sign of life in queue {} for {} s and is taken for dead: {} of its jobs "
							+ "are back in the queue, {} are dead",
					death.process(), death.queue(), this.settings.liveness().deathAfter().toSeconds(), tally.returned,
					tally.dead);
			this.events.publish(new WorkerEvent.Recovered(Shard.queueOf(death.queue()), death.process(), tally.returned,
					tally.dead));
		}
	}

	/**
	 * Take this process out of a queue.
	 * @return how many jobs it had left
	 */
	long leave(String queue, String process) {
		Tally tally = new Tally(queue, process, "stopped");
		Recovery step;
		do {
			step = this.store.leave(queue, process);
			tally.add(step);
		}
		while (step.left() > 0);
		return tally.returned + tally.dead;
	}

	private final class Tally {

		private final String queue;

		private final String process;

		private final String how;

		private boolean wasGone;

		private long returned;

		private long dead;

		Tally(String queue, String process, String how) {
			this.queue = queue;
			this.process = process;
			this.how = how;
		}

		void add(Recovery step) {
			this.wasGone |= step.status() == Recovery.Status.GONE;
			this.returned += step.moved();
			for (Recovery.Doomed doomed : step.doomed()) {
				bury(doomed);
				this.dead++;
			}
			if (step.left() > 0 && step.moved() == 0 && step.doomed().isEmpty()) {
				throw new JobStoreException(
						"No job of process %s can be taken out of queue %s".formatted(this.process, this.queue));
			}
		}

		private void bury(Recovery.Doomed doomed) {
			JobRetry retry = JobRecovery.this.retry;
			RunCutShortException reason = (doomed.crashes() > 0) ? retry.crashed(this.process, doomed.crashes())
					: retry.mayHaveRun(this.process, this.how);
			Outcome.Failed death = retry.dead(doomed, reason);
			JobRecovery.this.hooks.tellOfDeath(death.failure(), JobRecovery.this.works
				.await(death.call(JobRecovery.this.works, doomed.token(), JobRecovery.this.settings.dead())));
			logger.error("Job {} of queue {} is dead: {}", doomed.token().id(), this.queue, reason.getMessage());
		}

	}

}

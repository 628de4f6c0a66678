package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.Settlement;
import io.github.steadyjobs.redis.WorkStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells Redis how runs ended, and goes on telling until it is answered. Never blocks a
 * worker on an answer, and cannot be interrupted by a shutdown. Thread safe.
 */
final class Settler {

	private static final Duration PAUSE = Duration.ofMillis(500);

	private static final Logger logger = LoggerFactory.getLogger(Settler.class);

	private final WorkerParts parts;

	private final WorkStore store;

	private final ScheduledExecutorService scheduler;

	private final Acknowledger acknowledger;

	private final Backlog backlog;

	Settler(WorkerParts parts, Backlog backlog) {
		this.parts = parts;
		this.store = parts.store();
		this.scheduler = parts.scheduler();
		this.backlog = backlog;
		this.acknowledger = new Acknowledger(this.store, this.scheduler, this::settled);
	}

	Acknowledger acknowledger() {
		return this.acknowledger;
	}

	DeadLimits deadLimits() {
		return this.parts.settings().dead();
	}

	Burial burial() {
		return this.parts.burial();
	}

	/**
	 * End a job, together with others that ended meanwhile.
	 */
	void acknowledge(UnitOfWork work) {
		this.backlog.add();
		this.acknowledger.add(work);
	}

	/**
	 * Move a job to where its outcome wants it.
	 */
	void settle(UnitOfWork work, Function<WorkStore, CompletableFuture<Settlement>> call) {
		this.backlog.add();
		attempt(work, call);
	}

	private void attempt(UnitOfWork work, Function<WorkStore, CompletableFuture<Settlement>> call) {
		try {
			call.apply(this.store).whenComplete((settlement, failure) -> {
				if (failure == null) {
					settled(work, settlement);
				}
				else {
					again(work, call, failure);
				}
			});
		}
		catch (JobStoreException ex) {
			again(work, call, ex);
		}
	}

	private void again(UnitOfWork work, Function<WorkStore, CompletableFuture<Settlement>> call, Throwable failure) {
		logger.debug("Job {} could not be settled, trying again", work, failure);
		later(this.scheduler, () -> attempt(work, call));
	}

	/**
	 * Repeat a call after a pause, unless the worker has ended: what is not settled by
	 * then stays recorded in Redis.
	 */
	static void later(ScheduledExecutorService scheduler, Runnable call) {
		try {
			scheduler.schedule(call, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Not tried again, as the worker has ended");
		}
	}

	private void settled(UnitOfWork work, Settlement settlement) {
		this.backlog.remove();
		if (settlement == Settlement.STALE) {
			logger.warn("Job {} had been given to another worker when it ended here; this end does not count", work);
			this.parts.events().publish(new WorkerEvent.Refused(work.queue(), work.token().id()));
		}
	}

	/**
	 * Wait until everything is settled.
	 * @return whether it is
	 */
	boolean await(Duration timeout) throws InterruptedException {
		return this.backlog.awaitEmpty(timeout);
	}

	/**
	 * Told about each settlement.
	 */
	interface Listener {

		void settled(UnitOfWork work, Settlement settlement);

	}

}

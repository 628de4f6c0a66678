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
import org.jspecify.annotations.Nullable;
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
	 * @param failure what hooks are told of after that, if anything
	 */
	void settle(UnitOfWork work, Function<WorkStore, CompletableFuture<Settlement>> call, @Nullable Failure failure) {
		this.backlog.add();
		new Call(work, call, failure).attempt();
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
		tellIfStale(work, settlement);
	}

	private void tellIfStale(UnitOfWork work, Settlement settlement) {
		if (settlement == Settlement.STALE) {
			logger.warn("Job {} had been given to another worker when it ended here; this end does not count", work);
			this.parts.events().publish(new WorkerEvent.Refused(work.queue(), work.token().id()));
		}
	}

	/**
	 * Wait until everything is settled and whoever is to be told of it was.
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

	/**
	 * A settlement on its way to Redis.
	 */
	private final class Call {

		private final UnitOfWork work;

		private final Function<WorkStore, CompletableFuture<Settlement>> call;

		private final @Nullable Failure failure;

		private volatile boolean repeated;

		Call(UnitOfWork work, Function<WorkStore, CompletableFuture<Settlement>> call, @Nullable Failure failure) {
			this.work = work;
			this.call = call;
			this.failure = failure;
		}

		void attempt() {
			try {
				this.call.apply(Settler.this.store).whenComplete((settlement, unanswered) -> {
					if (unanswered == null) {
						answered(settlement);
					}
					else {
						again(unanswered);
					}
				});
			}
			catch (JobStoreException ex) {
				again(ex);
			}
		}

		private void again(Throwable unanswered) {
			logger.debug("Job {} could not be settled, trying again", this.work, unanswered);
			this.repeated = true;
			later(Settler.this.scheduler, this::attempt);
		}

		private void answered(Settlement settlement) {
			tellIfStale(this.work, settlement);
			if (this.failure != null && counts(settlement)) {
				// Unsettled until they have returned: so there are never more of them
				// than
				// the backlog holds, and a shutdown waits for them.
				Settler.this.parts.hooks().tell(this.failure, Settler.this.backlog::remove);
			}
			else {
				Settler.this.backlog.remove();
			}
		}

		/**
		 * Decide whether the job is where this end of it has put it. Where a first call
		 * finds nothing to settle, either Lettuce had sent it twice, or the job was given
		 * to another process that was done with it sooner.
		 */
		private boolean counts(Settlement settlement) {
			return settlement == Settlement.DONE || (settlement == Settlement.ALREADY
					&& (this.repeated || Settler.this.parts.memberships().isCurrent(this.work.token())));
		}

	}

}

package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.JobToken;
import io.github.steadyjobs.redis.Settlement;
import io.github.steadyjobs.redis.WorkStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends jobs that are done. One call a queue is under way at a time, and takes along what
 * has ended while the call before was: the busier the workers, the larger the batches,
 * and none of them waits for company.
 * <p>
 * While the fetcher is about to claim as soon as a worker is free, it takes along what
 * has ended, since two calls in one flush cost little more than one. Thread safe.
 */
final class Acknowledger {

	private static final Logger logger = LoggerFactory.getLogger(Acknowledger.class);

	private final WorkStore store;

	private final ScheduledExecutorService scheduler;

	private final Settler.Listener listener;

	private final Map<String, Lane> lanes = new ConcurrentHashMap<>();

	private volatile boolean fetched;

	private volatile boolean waiting;

	Acknowledger(WorkStore store, ScheduledExecutorService scheduler, Settler.Listener listener) {
		this.store = store;
		this.scheduler = scheduler;
		this.listener = listener;
	}

	void add(UnitOfWork work) {
		Lane lane = this.lanes.get(work.queue());
		if (lane == null) {
			lane = this.lanes.computeIfAbsent(work.queue(), (queue) -> new Lane());
		}
		lane.ended.add(work);
		// Asked after adding: either this thread sees that nobody will come, or the one
		// who
		// says so sees the job.
		if (!this.fetched) {
			lane.send();
		}
	}

	/**
	 * Leave what ends from now on to {@link #take()}, which has to be called whenever a
	 * worker becomes free.
	 * @param waiting whether none is free now: what has ended before must not wait until
	 * one is
	 */
	void leaveToFetcher(boolean waiting) {
		this.waiting = waiting;
		this.fetched = true;
		if (waiting) {
			send();
		}
	}

	/**
	 * Send what has ended, and from now on at once what ends.
	 */
	void sendAtOnce() {
		this.fetched = false;
		send();
	}

	/**
	 * Send what has ended.
	 */
	void send() {
		this.lanes.values().forEach(Lane::send);
	}

	/**
	 * Take what has ended, to be sent along with something else.
	 */
	List<Batch> take() {
		List<Batch> batches = new ArrayList<>(this.lanes.size());
		for (Lane lane : this.lanes.values()) {
			if (lane.begin()) {
				batches.add(lane);
			}
		}
		return batches;
	}

	/**
	 * Ended jobs of one queue on their way to Redis.
	 */
	interface Batch {

		List<JobToken> tokens();

		void sent(CompletableFuture<List<Settlement>> answer);

		void notSent(JobStoreException failure);

	}

	private final class Lane implements Batch {

		private final Queue<UnitOfWork> ended = new ConcurrentLinkedQueue<>();

		private final AtomicBoolean underWay = new AtomicBoolean();

		private List<UnitOfWork> batch = List.of();

		void send() {
			if (begin()) {
				attempt();
			}
		}

		/**
		 * Make a batch of what has ended, unless one is under way.
		 */
		private boolean begin() {
			while (!this.ended.isEmpty() && this.underWay.compareAndSet(false, true)) {
				this.batch = nextBatch();
				if (!this.batch.isEmpty()) {
					return true;
				}
				this.underWay.set(false);
			}
			return false;
		}

		private List<UnitOfWork> nextBatch() {
			List<UnitOfWork> batch = new ArrayList<>();
			UnitOfWork next = this.ended.peek();
			// One process name a call; another one means that this process was fenced.
			while (next != null && batch.size() < WorkStore.SETTLED_AT_ONCE
					&& (batch.isEmpty() || next.token().process().equals(batch.get(0).token().process()))) {
				batch.add(next);
				this.ended.remove();
				next = this.ended.peek();
			}
			return batch;
		}

		@Override
		public List<JobToken> tokens() {
			List<JobToken> tokens = new ArrayList<>(this.batch.size());
			for (UnitOfWork work : this.batch) {
				tokens.add(work.token());
			}
			return tokens;
		}

		@Override
		public void sent(CompletableFuture<List<Settlement>> answer) {
			answer.whenComplete(this::answered);
		}

		@Override
		public void notSent(JobStoreException failure) {
			again(failure);
		}

		private void attempt() {
			try {
				sent(Acknowledger.this.store.acknowledge(tokens()));
			}
			catch (JobStoreException ex) {
				notSent(ex);
			}
		}

		private void answered(List<Settlement> settlements, Throwable failure) {
			if (failure != null) {
				again(failure);
				return;
			}
			List<UnitOfWork> settled = this.batch;
			this.batch = List.of();
			this.underWay.set(false);
			for (int i = 0; i < settled.size(); i++) {
				Acknowledger.this.listener.settled(settled.get(i), settlements.get(i));
			}
			if (!Acknowledger.this.fetched || Acknowledger.this.waiting) {
				send();
			}
		}

		private void again(Throwable failure) {
			logger.debug("{} jobs could not be acknowledged, trying again", this.batch.size(), failure);
			Settler.later(Acknowledger.this.scheduler, this::attempt);
		}

	}

}

package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
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
 * and none of them waits for company. Thread safe.
 */
final class Acknowledger {

	private static final Logger logger = LoggerFactory.getLogger(Acknowledger.class);

	private final WorkStore store;

	private final ScheduledExecutorService scheduler;

	private final Settler.Listener listener;

	private final Map<String, Lane> lanes = new ConcurrentHashMap<>();

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
		lane.send();
	}

	private final class Lane {

		private final Queue<UnitOfWork> ended = new ConcurrentLinkedQueue<>();

		private final AtomicBoolean underWay = new AtomicBoolean();

		private List<UnitOfWork> batch = List.of();

		void send() {
			while (!this.ended.isEmpty() && this.underWay.compareAndSet(false, true)) {
				this.batch = nextBatch();
				if (!this.batch.isEmpty()) {
					attempt();
					return;
				}
				this.underWay.set(false);
			}
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

		private void attempt() {
			List<JobToken> tokens = new ArrayList<>(this.batch.size());
			for (UnitOfWork work : this.batch) {
				tokens.add(work.token());
			}
			try {
				Acknowledger.this.store.acknowledge(tokens).whenComplete(this::answered);
			}
			catch (JobStoreException ex) {
				again(ex);
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
			send();
		}

		private void again(Throwable failure) {
			logger.debug("{} jobs could not be acknowledged, trying again", this.batch.size(), failure);
			Settler.later(Acknowledger.this.scheduler, this::attempt);
		}

	}

}

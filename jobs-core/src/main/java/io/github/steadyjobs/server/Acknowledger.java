package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * Acknowledges jobs that are done. At most one call per queue is under way at any time;
 * jobs that end during a call are acknowledged by the next call. So batches grow when the
 * workers get busier, and no job waits for a batch to fill. Thread safe.
 */
final class Acknowledger {

	private final WorkStore store;

	private final Repeater repeater;

	private final BiConsumer<List<UnitOfWork>, List<Settlement>> listener;

	private final Map<String, Lane> lanes = new ConcurrentHashMap<>();

	/**
	 * Create an acknowledger.
	 * @param listener called on a network thread with the acknowledged jobs and the
	 * answer from Redis for each job
	 */
	Acknowledger(WorkStore store, Repeater repeater, BiConsumer<List<UnitOfWork>, List<Settlement>> listener) {
		this.store = store;
		this.repeater = repeater;
		this.listener = listener;
	}

	void add(UnitOfWork work) {
		Lane lane = this.lanes.get(work.token().queue());
		if (lane == null) {
			lane = this.lanes.computeIfAbsent(work.token().queue(), (queue) -> new Lane());
		}
		lane.ended.add(work);
	}

	/** Acknowledge the jobs that are done, except in queues where a call is under way. */
	void send() {
		this.lanes.values().forEach(Lane::send);
	}

	/** Take the next batch, if any, of each queue. The caller must send the batches. */
	List<Batch> take() {
		List<Batch> batches = new ArrayList<>(this.lanes.size());
		for (Lane lane : this.lanes.values()) {
			Batch batch = lane.next();
			if (batch != null) {
				batches.add(batch);
			}
		}
		return batches;
	}

	/** Finished jobs of one queue that are acknowledged in a single call. */
	final class Batch {

		private final Lane lane;

		private final List<UnitOfWork> works;

		private Batch(Lane lane, List<UnitOfWork> works) {
			this.lane = lane;
			this.works = works;
		}

		List<JobToken> tokens() {
			List<JobToken> tokens = new ArrayList<>(this.works.size());
			for (UnitOfWork work : this.works) {
				tokens.add(work.token());
			}
			return tokens;
		}

		/** Handle the answer to this batch, and repeat the call until it is answered. */
		void sent(CompletableFuture<List<Object>> answer) {
			Acknowledger.this.repeater.sent(answer.thenApply((found) -> Settlement.of(found, this.works.size())),
					this::call, (settlements, repeated) -> answered(settlements));
		}

		private void send() {
			Acknowledger.this.repeater.send(this::call, (settlements, repeated) -> answered(settlements));
		}

		private CompletableFuture<List<Settlement>> call() {
			return Acknowledger.this.store.settle(tokens(), Outcome.DONE);
		}

		private void answered(List<Settlement> settlements) {
			this.lane.underWay.set(false);
			Acknowledger.this.listener.accept(this.works, settlements);
			this.lane.send();
		}

	}

	private final class Lane {

		private final Queue<UnitOfWork> ended = new ConcurrentLinkedQueue<>();

		private final AtomicBoolean underWay = new AtomicBoolean();

		void send() {
			Batch batch = next();
			if (batch != null) {
				batch.send();
			}
		}

		/** Make a batch of jobs that have ended, unless another batch is under way. */
		private @Nullable Batch next() {
			while (!this.ended.isEmpty() && this.underWay.compareAndSet(false, true)) {
				List<UnitOfWork> works = take();
				if (!works.isEmpty()) {
					return new Batch(this, works);
				}
				this.underWay.set(false);
			}
			return null;
		}

		private List<UnitOfWork> take() {
			List<UnitOfWork> works = new ArrayList<>();
			UnitOfWork next = this.ended.peek();
			// All jobs of a call must have the same process name. A second name means
			// that this process was fenced.
			while (next != null && works.size() < WorkStore.SETTLED_AT_ONCE
					&& (works.isEmpty() || next.token().process().equals(works.get(0).token().process()))) {
				works.add(next);
				this.ended.remove();
				next = this.ended.peek();
			}
			return works;
		}

	}

}

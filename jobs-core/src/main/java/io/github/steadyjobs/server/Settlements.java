package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

import io.github.steadyjobs.ordered.Form;
import io.github.steadyjobs.server.Outcome.Failure;
import org.jspecify.annotations.Nullable;

/**
 * Sends the outcomes of a capsule's runs to Redis, and repeats each call until it is
 * answered. No worker waits for an answer, and a settlement continues even if a shutdown
 * interrupts the worker. Keeps track of the jobs that are not settled yet. Thread safe.
 */
final class Settlements implements Settler {

	private final WorkStore store;

	private final Presence presence;

	private final Hooks hooks;

	private final Vitals vitals;

	private final Repeater repeater;

	private final Acknowledger acknowledger;

	private final Set<JobToken> unsettled = ConcurrentHashMap.newKeySet();

	private final AtomicLong settledEver = new AtomicLong();

	private final Runnable listener;

	/**
	 * Create an instance.
	 * @param listener called on network threads whenever jobs have been settled
	 */
	Settlements(WorkStore store, Presence presence, Hooks hooks, Vitals vitals, Repeater repeater, Runnable listener) {
		this.store = store;
		this.presence = presence;
		this.hooks = hooks;
		this.vitals = vitals;
		this.repeater = repeater;
		this.listener = listener;
		this.acknowledger = new Acknowledger(store, repeater, this::answered);
	}

	Acknowledger acknowledger() {
		return this.acknowledger;
	}

	/** {@inheritDoc} Each call is repeated until it is answered. */
	@Override
	public void settle(List<UnitOfWork> jobs) {
		List<UnitOfWork> moved = new ArrayList<>();
		for (UnitOfWork job : jobs) {
			if (!job.isGivenBack()) {
				switch (Objects.requireNonNull(job.outcome()).kind()) {
					case DONE, SKIPPED -> acknowledge(job);
					case RELEASED, CANCELLED -> release(List.of(job), true);
					default -> moved.add(job);
				}
			}
		}
		if (!moved.isEmpty()) {
			move(moved, moved.stream().map((job) -> Objects.requireNonNull(job.outcome())).toList());
		}
	}

	@Override
	public void move(UnitOfWork job, Outcome outcome) {
		move(List.of(job), List.of(outcome));
	}

	/** Record the progress of a run in Redis. See {@link Form.Run#advance}. */
	boolean advance(UnitOfWork work, int left, byte @Nullable [] envelope, Runnable done) throws InterruptedException {
		CompletableFuture<Settlement> advanced = new CompletableFuture<>();
		this.repeater.send(() -> this.store.advance(work.token(), left, envelope),
				(settlement, repeated) -> advanced.complete(settlement));
		if (await(work, advanced) != Settlement.DONE) {
			return false;
		}
		done.run();
		if (work.isCutShort()) {
			throw new InterruptedException("The process stops");
		}
		return true;
	}

	private static Settlement await(UnitOfWork work, CompletableFuture<Settlement> answer) throws InterruptedException {
		while (true) {
			try {
				return answer.get();
			}
			catch (InterruptedException ex) {
				// Any other interrupt was meant for the payload that has just ended.
				if (work.isCutShort() || work.isLost()) {
					throw ex;
				}
			}
			catch (ExecutionException ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

	/**
	 * Move jobs that ran together as their outcomes require, and call the hooks once for
	 * all failures.
	 */
	private void move(List<UnitOfWork> works, List<Outcome> outcomes) {
		int count = works.size();
		AtomicInteger unanswered = new AtomicInteger(count);
		AtomicReferenceArray<@Nullable Failure> failures = new AtomicReferenceArray<>(count);
		for (int i = 0; i < count; i++) {
			int place = i;
			UnitOfWork work = works.get(i);
			Outcome outcome = outcomes.get(i);
			holding(List.of(work), () -> this.repeater.send(() -> this.store.settle(List.of(work.token()), outcome),
					(settlements, repeated) -> {
						try {
							report(work, settlements.get(0));
							if (counts(work, settlements.get(0), repeated)) {
								failures.set(place, outcome.failure());
							}
						}
						finally {
							if (unanswered.decrementAndGet() == 0) {
								// The jobs count as unsettled until hooks have returned.
								// This bounds the number of running hooks, and makes a
								// shutdown wait for the hooks.
								this.hooks.tell(present(failures), () -> settled(works));
							}
						}
					}));
		}
	}

	private static List<Failure> present(AtomicReferenceArray<@Nullable Failure> failures) {
		return IntStream.range(0, failures.length()).mapToObj(failures::get).filter(Objects::nonNull).toList();
	}

	/**
	 * Return whether this settlement has taken effect. If a call that was not repeated
	 * finds nothing to settle, either the call was sent twice because its connection
	 * broke, or another process has claimed and ended the job.
	 */
	private boolean counts(UnitOfWork work, Settlement settlement, boolean repeated) {
		return settlement == Settlement.DONE
				|| (settlement == Settlement.ALREADY && (repeated || this.presence.isCurrent(work.token())));
	}

	@Override
	public void release(List<UnitOfWork> works, boolean begun) {
		// All jobs of a call must have the same process name. A second name means that
		// this process was fenced.
		Map<String, List<UnitOfWork>> byProcess = new LinkedHashMap<>();
		for (UnitOfWork work : works) {
			byProcess.computeIfAbsent(work.token().process(), (process) -> new ArrayList<>()).add(work);
		}
		byProcess.values().forEach((some) -> {
			for (int from = 0; from < some.size(); from += WorkStore.SETTLED_AT_ONCE) {
				releaseAtOnce(some.subList(from, Math.min(from + WorkStore.SETTLED_AT_ONCE, some.size())), begun);
			}
		});
	}

	private void releaseAtOnce(List<UnitOfWork> works, boolean begun) {
		List<JobToken> tokens = works.stream().map(UnitOfWork::token).toList();
		holding(works,
				() -> this.repeater.send(() -> this.store.settle(tokens, begun ? Outcome.RELEASED : Outcome.UNBEGUN),
						(settlements, repeated) -> {
							if (begun) {
								answered(works, settlements);
							}
							else {
								// These jobs did not run here, so it does no harm if
								// another process already holds some of them.
								settled(works);
							}
						}));
	}

	/**
	 * Return the tokens of the jobs that are being settled: Redis has not confirmed their
	 * end or return, or their hooks have not returned.
	 */
	Set<JobToken> unsettled() {
		return this.unsettled;
	}

	/** Return how many jobs have been settled since the start. */
	long settledEver() {
		return this.settledEver.get();
	}

	/** Count a job as unsettled until Redis has confirmed its end or its return. */
	void hold(UnitOfWork work) {
		this.unsettled.add(work.token());
	}

	private void acknowledge(UnitOfWork work) {
		hold(work);
		try {
			this.acknowledger.add(work);
		}
		catch (Throwable ex) {
			this.unsettled.remove(work.token());
			throw ex;
		}
	}

	/**
	 * Send a settlement. If sending fails, no answer will arrive. So the jobs no longer
	 * count as unsettled here, and {@link StrayJobs} will find them.
	 */
	private void holding(List<UnitOfWork> works, Runnable sending) {
		works.forEach(this::hold);
		try {
			sending.run();
		}
		catch (Throwable ex) {
			works.forEach((work) -> this.unsettled.remove(work.token()));
			throw ex;
		}
	}

	private void settled(List<UnitOfWork> works) {
		for (UnitOfWork work : works) {
			this.unsettled.remove(work.token());
		}
		this.settledEver.addAndGet(works.size());
		this.listener.run();
	}

	private void answered(List<UnitOfWork> works, List<Settlement> settlements) {
		try {
			for (int i = 0; i < works.size(); i++) {
				report(works.get(i), settlements.get(i));
			}
		}
		finally {
			settled(works);
		}
	}

	private void report(UnitOfWork work, Settlement settlement) {
		if (settlement == Settlement.STALE) {
			this.vitals.refused(work);
		}
	}

}

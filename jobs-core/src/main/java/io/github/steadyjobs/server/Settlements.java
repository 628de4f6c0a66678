package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.github.steadyjobs.redis.JobToken;
import io.github.steadyjobs.redis.Settlement;
import io.github.steadyjobs.redis.WorkStore;
import io.github.steadyjobs.redis.WorkStore.DeadLimits;
import io.github.steadyjobs.server.Outcome.Failure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells Redis how the runs of a capsule ended, and repeats that until it is answered. No
 * worker waits for an answer, and no interrupt by a shutdown stops a settlement. Counts
 * what is not settled yet. Thread safe.
 */
final class Settlements {

	private static final Logger logger = LoggerFactory.getLogger(Settlements.class);

	private final WorkStore store;

	private final Presence presence;

	private final Hooks hooks;

	private final Vitals vitals;

	private final Repeater repeater;

	private final DeadLimits deadLimits;

	private final Acknowledger acknowledger;

	private int unsettled;

	private long settledEver;

	private Runnable listener = () -> {
	};

	Settlements(WorkStore store, Presence presence, Hooks hooks, Vitals vitals, Repeater repeater,
			DeadLimits deadLimits) {
		this.store = store;
		this.presence = presence;
		this.hooks = hooks;
		this.vitals = vitals;
		this.repeater = repeater;
		this.deadLimits = deadLimits;
		this.acknowledger = new Acknowledger(store, repeater, this::answered);
	}

	/**
	 * Set what is called, on a thread of the network, whenever something was settled.
	 */
	void onSettled(Runnable listener) {
		this.listener = listener;
	}

	Acknowledger acknowledger() {
		return this.acknowledger;
	}

	void acknowledge(UnitOfWork work) {
		add(1);
		this.acknowledger.add(work);
	}

	/**
	 * Move a job to where its outcome puts it.
	 * @param failure what hooks are told after that, if anything
	 */
	void settle(UnitOfWork work, Function<WorkStore, CompletableFuture<Settlement>> call, @Nullable Failure failure) {
		add(1);
		this.repeater.send(() -> call.apply(this.store), (settlement, repeated) -> {
			report(work, settlement);
			if (failure != null && counts(work, settlement, repeated)) {
				// It counts as unsettled until hooks have returned: that bounds how many
				// run, and a shutdown waits for them.
				this.hooks.tell(failure, () -> settled(1));
			}
			else {
				settled(1);
			}
		});
	}

	/**
	 * Decide whether the job is where this settlement has put it. If a first call finds
	 * nothing to settle, either Lettuce has sent it twice, or another process was given
	 * the job and ended it sooner.
	 */
	private boolean counts(UnitOfWork work, Settlement settlement, boolean repeated) {
		return settlement == Settlement.DONE
				|| (settlement == Settlement.ALREADY && (repeated || this.presence.isCurrent(work.token())));
	}

	/**
	 * Put jobs of one queue back to its head.
	 * @param works the jobs, the first one in front
	 * @param begun whether they have begun, or none of them has
	 */
	void release(List<UnitOfWork> works, boolean begun) {
		add(works.size());
		// One process name a call; another one means that this process was fenced.
		Map<String, List<UnitOfWork>> byProcess = new LinkedHashMap<>();
		for (UnitOfWork work : works) {
			byProcess.computeIfAbsent(work.token().process(), (process) -> new ArrayList<>()).add(work);
		}
		byProcess.values().forEach((some) -> releaseLast(some, begun));
	}

	/**
	 * Release the last ones first, because what goes back later ends up in front.
	 */
	private void releaseLast(List<UnitOfWork> works, boolean begun) {
		if (works.isEmpty()) {
			return;
		}
		List<UnitOfWork> before = works.subList(0, Math.max(0, works.size() - WorkStore.SETTLED_AT_ONCE));
		List<UnitOfWork> last = works.subList(before.size(), works.size());
		List<JobToken> tokens = last.stream().map(UnitOfWork::token).toList();
		this.repeater.send(() -> this.store.requeue(tokens, begun), (settlements, repeated) -> {
			if (begun) {
				answered(last, settlements);
			}
			else {
				answeredUnbegun(last, settlements);
			}
			releaseLast(before, begun);
		});
	}

	DeadLimits deadLimits() {
		return this.deadLimits;
	}

	synchronized int unsettled() {
		return this.unsettled;
	}

	synchronized long settledEver() {
		return this.settledEver;
	}

	private synchronized void add(int count) {
		this.unsettled += count;
	}

	private void settled(int count) {
		synchronized (this) {
			this.unsettled -= count;
			this.settledEver += count;
		}
		this.listener.run();
	}

	private void answered(List<UnitOfWork> works, List<Settlement> settlements) {
		try {
			for (int i = 0; i < works.size(); i++) {
				report(works.get(i), settlements.get(i));
			}
		}
		finally {
			settled(works.size());
		}
	}

	/**
	 * Nothing has run here, so it harms nobody if another holds some of the jobs.
	 */
	private void answeredUnbegun(List<UnitOfWork> works, List<Settlement> settlements) {
		int stale = Collections.frequency(settlements, Settlement.STALE);
		if (stale > 0) {
			logger.debug("Other processes already hold {} of the {} jobs of queue {} that were to go back unbegun",
					stale, works.size(), works.get(0).queue());
		}
		settled(works.size());
	}

	private void report(UnitOfWork work, Settlement settlement) {
		if (settlement == Settlement.STALE) {
			this.vitals.refused(work);
		}
	}

}

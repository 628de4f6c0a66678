package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.recurring.TickRunner.Outcome;
import io.github.steadyjobs.recurring.TickRunner.Result;
import io.github.steadyjobs.redis.TickStore.State;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to ticks, from the start of this process's workers to their stop.
 * <p>
 * All processes know all recurring jobs and their times. Each recurring job has one
 * process that sees to it, which all choose alike, and that process has a timer. The
 * others look with their heartbeats whether a tick that must have come was seen to. The
 * first that finds one which was not does it, and for a while all that the silent process
 * should see to. It is no harm if two do: the script takes one of them. So nobody leads,
 * and nothing is asked while no tick is due.
 * <p>
 * Everything but ticks themselves runs on one thread.
 */
final class Ticker {

	/** 10 seconds by default. */
	private static final int BEATS_TO_READ = 2;

	/** A minute by default. Without recurring jobs that is all that is done. */
	private static final int BEATS_TO_FORGET = 12;

	/** By then a process is forgotten that has died. */
	private static final Duration TAKEN_OVER_FOR = Duration.ofMinutes(5);

	/** No timer waits longer, as clocks drift. */
	private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

	private static final Logger logger = LoggerFactory.getLogger(Ticker.class);

	private final String process;

	private final String set;

	private final JobRegistry registry;

	private final Reconciler reconciler;

	private final TickRunner runner;

	private final TickThread thread;

	private @Nullable Declarations declarations;

	private Map<String, TickEntry> entries = Map.of();

	/** What was told of recurring jobs that several applications declare. */
	private final Set<String> shared = new HashSet<>();

	/** Processes that nobody had heard of when that was asked last. */
	private Set<String> forgotten = Set.of();

	private int beats;

	private boolean doubted;

	private boolean hasLeft;

	/**
	 * Create a ticker.
	 * @param process the name of this process
	 * @param set what it declares
	 * @param runner sees to single ticks
	 */
	Ticker(String process, String set, JobRegistry registry, Reconciler reconciler, TickRunner runner) {
		this.process = process;
		this.set = set;
		this.registry = registry;
		this.reconciler = reconciler;
		this.runner = runner;
		this.thread = new TickThread(() -> this.doubted = true, runner::unexpected);
	}

	void start() {
		this.thread.execute(this::refresh);
	}

	/**
	 * Do what has to be done as often as heartbeats.
	 */
	void beat() {
		this.thread.execute(this::round);
	}

	/**
	 * Read soon what is declared.
	 */
	void doubt() {
		this.thread.execute(() -> {
			this.doubted = true;
			refresh();
		});
	}

	/**
	 * Leave ticks to others, and see to them until these know.
	 */
	void leave() {
		this.thread.execute(this::depart);
	}

	/**
	 * Leave ticks to others, and wait until everything has ended, for a second at most.
	 */
	void close() {
		this.thread.execute(() -> {
			this.entries.values().forEach(TickEntry::disarm);
			this.entries = Map.of();
			depart();
		});
		this.thread.close();
	}

	private void round() {
		if (this.hasLeft) {
			lookForOverdue();
			return;
		}
		this.beats++;
		boolean isUsed = this.declarations == null || !this.declarations.isEmpty();
		if (this.doubted || this.beats % (isUsed ? BEATS_TO_READ : BEATS_TO_FORGET) == 0) {
			refresh();
		}
		if (isUsed && this.beats % BEATS_TO_FORGET == 0) {
			forgetDead();
		}
		lookForOverdue();
	}

	private void refresh() {
		if (this.hasLeft) {
			return;
		}
		Declarations before = this.declarations;
		Declarations read = this.reconciler.read((before != null && !this.doubted) ? before.version() : "");
		this.doubted = false;
		if (read != null) {
			takeUp(read.declares(this.process, this.set) ? read
					: this.reconciler.change(read, (present) -> present.declare(this.process, this.set)));
		}
	}

	private void takeUp(Declarations declared) {
		take(declared);
		// Then, because something that is old may have gone on in another queue.
		Declarations rest = this.reconciler.forgetOld(declared);
		if (rest != declared) {
			take(rest);
		}
	}

	private void take(Declarations now) {
		now.shared(this.process).forEach((name, applications) -> {
			if (this.shared.add(name + applications)) {
				logger.warn(
						"Recurring job '{}' is declared by the applications {}, and only the definition that came "
								+ "last counts. Give one of them another name, or both different prefixes",
						name, applications);
			}
		});
		Map<String, State> states = this.reconciler.apply(now);
		this.entries.values().forEach(TickEntry::disarm);
		Map<String, TickEntry> all = new HashMap<>();
		now.effective().forEach((name, effective) -> {
			JobDefinition definition = this.registry.find(effective.job().job());
			State state = states.get(name);
			if (state == null || !state.digest().equals(effective.digest())) {
				this.doubted |= effective.pause() == null;
			}
			else if (definition != null && RecurringReader.canRecur(definition)) {
				String owner = now.owner(effective.job());
				all.put(name, new TickEntry(effective, owner, state.next(), this.entries.get(name)));
			}
		});
		this.entries = all;
		this.declarations = now;
		all.values().forEach(this::arm);
	}

	private void forgetDead() {
		Declarations known = this.declarations;
		if (known == null) {
			return;
		}
		Set<String> forgotten = this.reconciler.forgotten(known);
		forgotten.remove(this.process);
		// Twice in a row: one that has just started has not told of itself yet.
		Set<String> dead = new TreeSet<>(forgotten);
		dead.retainAll(this.forgotten);
		this.forgotten = forgotten;
		if (!dead.isEmpty()) {
			logger.info("Others see to the recurring jobs of {}, which nobody has heard of for long", dead);
			takeUp(this.reconciler.change(known, (present) -> present.leave(dead)));
		}
	}

	private void depart() {
		if (this.hasLeft) {
			return;
		}
		this.hasLeft = true;
		this.entries.values().forEach((entry) -> entry.keepIfOf(this.process));
		if (this.declarations != null) {
			this.reconciler.change(this.declarations, (present) -> present.leave(List.of(this.process)));
		}
	}

	/**
	 * Look whether the ticks were seen to that must have come.
	 */
	private void lookForOverdue() {
		Instant now = this.runner.time().now();
		Map<String, Collection<TickEntry>> queues = new HashMap<>();
		this.entries.values()
			.stream()
			.filter((entry) -> !entry.isBusy && entry.isOverdue(now))
			.filter((entry) -> !this.hasLeft || entry.takenOverUntil.isAfter(now))
			.forEach((entry) -> queues.computeIfAbsent(entry.job().queue(), (queue) -> new ArrayList<>()).add(entry));
		Set<String> silent = new HashSet<>();
		queues.forEach((queue, some) -> {
			List<String> names = some.stream().map((entry) -> entry.job().name()).toList();
			try {
				Map<String, State> states = this.reconciler.states(queue, names);
				some.forEach((entry) -> look(entry, states.get(entry.job().name()), now, silent));
			}
			catch (JobStoreException ex) {
				// In a cluster, other queues may be on another node.
				logger.debug("Recurring jobs of queue '{}' are left for the next heartbeat", queue, ex);
			}
		});
		takeOver(silent, now);
	}

	private void look(TickEntry entry, @Nullable State state, Instant now, Set<String> silent) {
		if (state == null || !state.digest().equals(entry.effective.digest())) {
			this.doubted = true;
			return;
		}
		entry.next = state.next();
		if (entry.isOverdue(now) && !this.hasLeft) {
			entry.takenOverUntil = now.plus(TAKEN_OVER_FOR);
			// What fails here as well says nothing about the other process.
			if (entry.owner != null && !entry.hasFailed) {
				silent.add(entry.owner);
			}
		}
		arm(entry);
	}

	/**
	 * Take over what others should see to that are silent, before it is late too: all of
	 * it, as what is not late gives nobody else a reason to look. Nobody counts as silent
	 * while this process is late itself: then Redis was away.
	 */
	private void takeOver(Set<String> silent, Instant now) {
		if (silent.contains(this.process)) {
			return;
		}
		this.entries.values()
			.stream()
			.filter((entry) -> entry.owner != null && silent.contains(entry.owner))
			.forEach((entry) -> {
				entry.takenOverUntil = now.plus(TAKEN_OVER_FOR);
				arm(entry);
			});
	}

	private void arm(TickEntry entry) {
		entry.disarm();
		Instant due = entry.due();
		Instant now = this.runner.time().now();
		boolean isOwn = !this.hasLeft && this.process.equals(entry.owner);
		if (due == null || entry.isBusy || (!isOwn && entry.takenOverUntil.isBefore(now))) {
			return;
		}
		Duration wait = Duration.between(now, due);
		boolean isSoon = wait.compareTo(LONGEST_WAIT) <= 0;
		long nanos = isSoon ? Math.max(0, wait.toNanos()) : LONGEST_WAIT.toNanos();
		entry.timer = this.thread.schedule(isSoon ? () -> see(entry) : () -> arm(entry), nanos);
	}

	private void see(TickEntry entry) {
		if (entry.next == null || entry.isBusy) {
			return;
		}
		entry.isBusy = true;
		this.runner.see(entry.effective, entry.next, (result) -> this.thread.execute(() -> took(entry, result)));
	}

	private void took(TickEntry entry, Result result) {
		this.doubted |= result.outcome() == Outcome.CHANGED;
		entry.isBusy = false;
		entry.hasFailed = result.outcome() == Outcome.FAILED;
		entry.next = result.next();
		if (this.entries.get(entry.job().name()) != entry) {
			// Another one stands for it by now, with a timer of its own.
			return;
		}
		if (result.outcome() == Outcome.GONE) {
			// Of several that have taken it over, the fastest is enough.
			entry.takenOverUntil = Instant.MIN;
		}
		if (result.outcome() == Outcome.SEEN || result.outcome() == Outcome.GONE) {
			arm(entry);
		}
	}

}

package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.steadyjobs.recurring.Declarations.Effective;
import io.github.steadyjobs.recurring.RecurringState.LastTick;
import io.github.steadyjobs.recurring.RecurringState.Status;
import io.github.steadyjobs.recurring.TickStore.Entry;
import io.github.steadyjobs.recurring.TickStore.State;
import io.github.steadyjobs.redis.Declared;
import io.github.steadyjobs.redis.ProcessStore;
import io.github.steadyjobs.redis.RedisConnections;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes what is declared, brings queues up to date with it, and reads their state. Any
 * process may do so at any time: queues that are up to date are left alone. Thread safe.
 */
final class Reconciler {

	/** Others may handle a tick or put a newer definition in force in between. */
	private static final int ATTEMPTS = 3;

	/** How many future times are listed. */
	private static final int LISTED = 5;

	/** By then a living process should have handled a tick. */
	private static final Duration OVERDUE = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(Reconciler.class);

	private final TickStore store;

	private final ProcessStore processes;

	/** The time of Redis at which {@link System#nanoTime()} was zero. */
	private volatile Instant zero = Instant.now().minusNanos(System.nanoTime());

	/** The last value read, because it seldom changes and may be large. */
	private volatile Declarations known = Declarations.NONE;

	Reconciler(RedisConnections connections, String prefix) {
		this.store = new TickStore(connections, prefix);
		this.processes = new ProcessStore(connections, prefix);
	}

	TickStore store() {
		return this.store;
	}

	/**
	 * Return the Redis time, computed from the latest answer, or the time of this machine
	 * before the first answer.
	 */
	Instant now() {
		return this.zero.plusNanos(System.nanoTime());
	}

	void answered(Instant now) {
		this.zero = now.minusNanos(System.nanoTime());
	}

	/** Return what is declared: the same object again if nothing has changed. */
	Declarations read() {
		Declarations before = this.known;
		return told(before, this.store.read(before.version()));
	}

	/**
	 * Change what is declared.
	 * @param change computes the changes from what is declared at present. May be called
	 * several times, and may throw an exception to change nothing
	 */
	Declarations change(Declarations present, Function<Declarations, Map<String, @Nullable String>> change) {
		Declarations declarations = present;
		while (true) {
			Map<String, @Nullable String> changes = change.apply(declarations);
			if (changes.isEmpty()) {
				return declarations;
			}
			Declared answer = this.store.change(declarations.version(), now(), changes);
			declarations = told(declarations, answer);
			if (answer.done()) {
				return declarations;
			}
		}
	}

	private Declarations told(Declarations before, Declared answer) {
		answered(answer.now());
		Declarations now = answer.version().equals(before.version()) ? before : Declarations.of(answer);
		this.known = now;
		return now;
	}

	/**
	 * Return processes that declare something and have been silent for long. They may
	 * include one that has just started or was frozen.
	 */
	Set<String> silent(Declarations declarations) {
		return this.processes.silent(declarations.processes());
	}

	/**
	 * Return the same, except those that workers have not forgotten yet. Costs one
	 * command while there are none.
	 */
	Set<String> forgotten(Declarations declarations) {
		Set<String> missing = new HashSet<>(declarations.processes());
		missing.removeAll(this.processes.names());
		return missing.isEmpty() ? missing : this.processes.silent(missing);
	}

	/**
	 * Return the states of recurring jobs. Workers forget killed processes, but perhaps
	 * no workers are left. So if a tick is late, this checks which processes are alive.
	 * @param name the name of one recurring job, or {@code null} for all
	 */
	List<RecurringState> states(Declarations declarations, @Nullable String name) {
		List<RecurringState> states = read(declarations, name);
		boolean isLate = states.stream()
			.anyMatch((state) -> state.status() == Status.ACTIVE && state.late().compareTo(OVERDUE) > 0);
		Set<String> dead = isLate ? silent(declarations) : Set.of();
		return dead.isEmpty() ? states : read(declarations.without(dead), name);
	}

	private List<RecurringState> read(Declarations declarations, @Nullable String name) {
		Map<String, RecurringState> states = new TreeMap<>();
		Instant now = now();
		byQueue(declarations, name).forEach((queue, jobs) -> {
			Map<String, State> known = this.store.states(queue, jobs.stream().map(Effective::name).toList());
			jobs.forEach((each) -> states.put(each.name(), state(each, known.get(each.name()), now)));
		});
		return List.copyOf(states.values());
	}

	static RecurringState state(Effective effective, @Nullable State state, Instant now) {
		RecurringJob job = effective.job();
		Schedule schedule = job.schedule();
		LastTick last = (state != null) ? state.last() : null;
		Instant next = (state != null && state.digest().equals(effective.digest())) ? state.next()
				: schedule.toCome(job.name(), last(state), now);
		Status status = (effective.pause() != null) ? Status.PAUSED
				: !effective.isRunnable() ? Status.PARKED : (next == null) ? Status.ENDED : Status.ACTIVE;
		List<Instant> times = new ArrayList<>();
		if (effective.pause() == null && next != null) {
			times.add(schedule.moved(job.name(), next));
			times.addAll(schedule.next(job.name(), next, LISTED - 1));
		}
		Duration late = (!times.isEmpty() && times.get(0).isBefore(now)) ? Duration.between(times.get(0), now)
				: Duration.ZERO;
		// Ticks are kept as the schedule has them.
		LastTick tick = (last == null) ? null : new LastTick(schedule.moved(job.name(), last.due()), last.at(),
				last.decision(), last.jobId(), last.outcome(), last.ran());
		return new RecurringState(job, effective.origin(), status, effective.pause(), times, late, tick);
	}

	private static @Nullable Instant last(@Nullable State state) {
		return (state != null && state.last() != null) ? state.last().due() : null;
	}

	private static Map<String, List<Effective>> byQueue(Declarations declarations, @Nullable String name) {
		return declarations.effective()
			.values()
			.stream()
			.filter((each) -> name == null || each.name().equals(name))
			.collect(Collectors.groupingBy(Effective::queue, TreeMap::new, Collectors.toList()));
	}

	/**
	 * Bring queues up to date, and return the state of each recurring job that counts.
	 */
	Map<String, State> apply(Declarations declarations) {
		Map<String, State> states = new HashMap<>();
		// The states of recurring jobs that come from another queue.
		Map<String, State> left = new HashMap<>();
		Map<String, Set<String>> elsewhere = declarations.elsewhere();
		elsewhere.forEach((queue, names) -> left.putAll(this.store.states(queue, names)));
		forget(elsewhere, declarations);
		byQueue(declarations, null)
			.forEach((queue, jobs) -> states.putAll(apply(queue, declarations.number(), jobs, left)));
		return states;
	}

	private Map<String, State> apply(String queue, String version, List<Effective> jobs, Map<String, State> left) {
		List<String> names = jobs.stream().map(Effective::name).toList();
		for (int attempt = 0;; attempt++) {
			Map<String, State> states = this.store.states(queue, names);
			List<Entry> changes = new ArrayList<>();
			jobs.forEach((each) -> {
				boolean isHere = states.containsKey(each.name());
				Entry change = change(each, (isHere ? states : left).get(each.name()), isHere, now());
				if (change != null) {
					changes.add(change);
				}
			});
			if (changes.isEmpty() || attempt == ATTEMPTS) {
				return states;
			}
			this.store.schedule(queue, version, changes);
		}
	}

	/**
	 * Return the change that a recurring job needs, or {@code null}.
	 * @param isHere whether its state is that of its queue
	 */
	static @Nullable Entry change(Effective effective, @Nullable State state, boolean isHere, Instant now) {
		RecurringJob job = effective.job();
		if (effective.pause() != null) {
			return (isHere && state != null && state.next() == null && state.digest().equals("-")) ? null
					: Entry.paused(job.name());
		}
		if (isHere && state != null && state.digest().equals(effective.digest())) {
			return null;
		}
		Instant next = (state != null) ? state.next() : null;
		if (next == null || next.isAfter(now)) {
			next = job.schedule().toCome(job.name(), last(state), now);
		}
		// A tick that the former definition has missed counts as missed for the new one.
		return Entry.of(job.name(), effective.digest(), next);
	}

	/**
	 * Take recurring jobs out of queues. If something newer is in force in a queue, the
	 * recurring jobs that belong there by now stay.
	 * @param declarations the first ones without them: a process that knows only older
	 * ones cannot bring them back
	 */
	void forget(Map<String, Set<String>> names, Declarations declarations) {
		names.forEach((queue, some) -> {
			Declarations known = declarations;
			Set<String> left = some;
			for (int attempt = 0; attempt < ATTEMPTS && !left.isEmpty(); attempt++) {
				if (this.store.schedule(queue, known.number(), left.stream().map(Entry::forgotten).toList())) {
					return;
				}
				known = read();
				Set<String> there = known.namesOf(queue);
				left = left.stream().filter((name) -> !there.contains(name)).collect(Collectors.toSet());
			}
		});
	}

	Declarations forgetOld(Declarations present) {
		Declarations after = change(present, Declarations::forgetOld);
		if (after != present) {
			present.gone()
				.forEach((name) -> logger.info("Recurring job '{}' is gone, because no process declares it now", name));
		}
		return after;
	}

}

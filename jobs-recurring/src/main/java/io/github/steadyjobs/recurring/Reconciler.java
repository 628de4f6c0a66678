package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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
import io.github.steadyjobs.recurring.TickStore.State;
import io.github.steadyjobs.redis.Declared;
import io.github.steadyjobs.redis.ProcessStore;
import io.github.steadyjobs.redis.RedisConnections;
import org.jspecify.annotations.Nullable;

/**
 * Changes the declarations, brings queues up to date with them, and reads the states of
 * recurring jobs. Any process may do this at any time, because queues that are up to date
 * are left unchanged. Thread safe.
 */
final class Reconciler {

	/**
	 * The maximum number of attempts to change a queue. Between attempts, other processes
	 * may handle a tick or put a newer definition in force.
	 */
	private static final int ATTEMPTS = 3;

	private static final int LISTED_TIMES = 5;

	/** Time within which a live process should have handled a tick that is due. */
	private static final Duration OVERDUE = Duration.ofSeconds(1);

	private final TickStore store;

	private final ProcessStore processes;

	/**
	 * The latest declarations that were read. They are kept because they seldom change
	 * and may be large.
	 */
	private volatile Declarations known = Declarations.NONE;

	Reconciler(RedisConnections connections, String prefix) {
		this.store = new TickStore(connections, prefix);
		this.processes = new ProcessStore(connections, prefix);
	}

	TickStore store() {
		return this.store;
	}

	/** Return the current declarations; the same object if nothing has changed. */
	Declarations read() {
		Declarations before = this.known;
		return answered(before, this.store.read(before.version()));
	}

	/**
	 * Change the declarations.
	 * @param change computes the changes; called several times if other processes change
	 * something too. If it throws an exception, nothing is changed
	 */
	Declarations change(Declarations present, Function<Declarations, Map<String, @Nullable String>> change) {
		Declarations declarations = present;
		while (true) {
			Map<String, @Nullable String> changes = change.apply(declarations);
			if (changes.isEmpty()) {
				return declarations;
			}
			Declared answer = this.store.change(declarations.version(), changes);
			declarations = answered(declarations, answer);
			if (answer.done()) {
				return declarations;
			}
		}
	}

	private Declarations answered(Declarations before, Declared answer) {
		Declarations now = answer.version().equals(before.version()) ? before : Declarations.of(answer);
		this.known = now;
		return now;
	}

	/**
	 * Return those processes that have declared a set, but have no report in Redis. Such
	 * a process is dead, or has just started.
	 */
	Set<String> silent(Declarations declarations) {
		return this.processes.silent(declarations.processes());
	}

	/**
	 * Return those {@linkplain #silent silent} processes that workers have already
	 * removed from the list of processes. Usually needs one command.
	 */
	Set<String> forgotten(Declarations declarations) {
		Set<String> missing = new HashSet<>(declarations.processes());
		missing.removeAll(this.processes.names());
		return missing.isEmpty() ? missing : this.processes.silent(missing);
	}

	/**
	 * Return the state of one recurring job, or of all recurring jobs if {@code name} is
	 * {@code null}. If a tick is late, this method checks which processes are alive,
	 * because there may be no worker left that forgets killed processes.
	 */
	List<RecurringState> states(Declarations declarations, @Nullable String name) {
		List<RecurringState> states = read(declarations, name);
		boolean isLate = states.stream()
			.anyMatch((state) -> state.status() == Status.ACTIVE && state.late().compareTo(OVERDUE) > 0);
		Set<String> dead = isLate ? silent(declarations) : Set.of();
		return dead.isEmpty() ? states : read(declarations.without(dead), name);
	}

	private List<RecurringState> read(Declarations declarations, @Nullable String name) {
		Instant now = this.store.now();
		return byQueue(declarations, name).entrySet()
			.stream()
			.flatMap((queue) -> states(queue.getKey(), queue.getValue()).entrySet().stream())
			.map((each) -> state(each.getKey(), each.getValue(), now))
			.sorted(Comparator.comparing(RecurringState::name))
			.toList();
	}

	private Map<Effective, State> states(String queue, List<Effective> jobs) {
		Map<String, State> found = this.store.states(queue, jobs.stream().map(Effective::name).toList());
		return jobs.stream()
			.collect(Collectors.toMap(Function.identity(), (job) -> found.getOrDefault(job.name(), State.NONE)));
	}

	static RecurringState state(Effective effective, State state, Instant now) {
		RecurringJob job = effective.job();
		Instant next = state.digest().equals(effective.digest()) ? state.next() : toCome(job, state, now);
		Status status = (effective.pause() != null) ? Status.PAUSED
				: !effective.isRunnable() ? Status.PARKED : (next == null) ? Status.ENDED : Status.ACTIVE;
		List<Instant> times = (effective.pause() == null && next != null) ? times(job, next, now) : List.of();
		Duration late = (!times.isEmpty() && times.get(0).isBefore(now)) ? Duration.between(times.get(0), now)
				: Duration.ZERO;
		return new RecurringState(job, effective.origin(), status, effective.pause(), times, late,
				moved(job, state.last()));
	}

	/** Return the next tick, and the times that come after it and after now. */
	private static List<Instant> times(RecurringJob job, Instant next, Instant now) {
		Schedule schedule = job.schedule();
		List<Instant> times = new ArrayList<>();
		times.add(job.moved(next));
		Instant latest = next;
		if (times.get(0).isBefore(now)) {
			latest = schedule.toCome(job.name(), next, now);
			if (latest == null) {
				return times;
			}
			times.add(job.moved(latest));
		}
		times.addAll(schedule.next(job.name(), latest, LISTED_TIMES - times.size()));
		return times;
	}

	private static @Nullable LastTick moved(RecurringJob job, @Nullable LastTick last) {
		if (last == null) {
			return null;
		}
		Instant moved = job.moved(last.due());
		// The tick may have been handled when the recurring job had less jitter.
		Instant due = moved.isAfter(last.at()) ? last.due() : moved;
		return new LastTick(due, last.at(), last.decision(), last.jobId(), last.outcome(), last.ran());
	}

	private static @Nullable Instant toCome(RecurringJob job, State state, Instant now) {
		return job.schedule().toCome(job.name(), (state.last() != null) ? state.last().due() : null, now);
	}

	private static Map<String, List<Effective>> byQueue(Declarations declarations, @Nullable String name) {
		return declarations.effective()
			.values()
			.stream()
			.filter((each) -> name == null || each.name().equals(name))
			.collect(Collectors.groupingBy(Effective::queue, TreeMap::new, Collectors.toList()));
	}

	/** Update queues, and return the state of each recurring job that is in effect. */
	Map<Effective, State> apply(Declarations declarations) {
		// A recurring job that has moved to another queue takes its state along.
		Map<String, State> left = new HashMap<>();
		declarations.elsewhere().forEach((queue, names) -> {
			left.putAll(this.store.states(queue, names));
			forget(queue, names, declarations);
		});
		Map<Effective, State> states = new HashMap<>();
		byQueue(declarations, null)
			.forEach((queue, jobs) -> states.putAll(apply(queue, jobs, left, declarations.number())));
		return states;
	}

	private Map<Effective, State> apply(String queue, List<Effective> jobs, Map<String, State> left, String version) {
		for (int attempt = 0;; attempt++) {
			Map<Effective, State> states = states(queue, jobs);
			Map<String, State> changes = new HashMap<>();
			states.forEach((each, state) -> {
				State known = state.equals(State.NONE) ? left.getOrDefault(each.name(), state) : state;
				State wanted = wanted(each, known, this.store.now());
				if (!wanted.digest().equals(state.digest())) {
					changes.put(each.name(), wanted);
				}
			});
			if (changes.isEmpty() || attempt == ATTEMPTS) {
				return states;
			}
			this.store.schedule(queue, version, changes);
		}
	}

	/** Return the state that a recurring job should have. */
	static State wanted(Effective effective, State known, Instant now) {
		if (effective.pause() != null) {
			return State.PAUSED;
		}
		if (known.digest().equals(effective.digest())) {
			return known;
		}
		// A tick that was due under the old definition counts as missed under the new
		// definition.
		boolean isMissed = known.next() != null && !known.next().isAfter(now);
		return new State(isMissed ? known.next() : toCome(effective.job(), known, now), effective.digest(),
				known.last());
	}

	/**
	 * Take recurring jobs out of a queue. If a newer version is in force there, recurring
	 * jobs that belong to the queue in that version stay.
	 * @param declarations the current declarations; processes that know only older
	 * declarations cannot bring the recurring jobs back
	 */
	void forget(String queue, Set<String> names, Declarations declarations) {
		Map<String, State> left = new HashMap<>();
		names.forEach((name) -> left.put(name, State.NONE));
		Declarations known = declarations;
		for (int attempt = 0; attempt < ATTEMPTS && !left.isEmpty(); attempt++) {
			if (this.store.schedule(queue, known.number(), left)) {
				return;
			}
			Declarations newer = read();
			left.keySet().removeIf((name) -> newer.isIn(queue, name));
			known = newer;
		}
	}

}

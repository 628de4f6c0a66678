package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.steadyjobs.recurring.Declarations.Effective;
import io.github.steadyjobs.recurring.RecurringState.Status;
import io.github.steadyjobs.redis.Declared;
import io.github.steadyjobs.redis.ProcessStore;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.TickStore;
import io.github.steadyjobs.redis.TickStore.Entry;
import io.github.steadyjobs.redis.TickStore.State;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes what is declared, brings queues up to date with it, and tells how things stand.
 * Any process may do so at any time: what is up to date stays as it is. Thread safe.
 */
final class Reconciler {

	/** Somebody may see to a tick, or put something newer into force, in between. */
	private static final int ATTEMPTS = 3;

	/** Somebody should have handled a tick by then. */
	private static final Duration OVERDUE = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(Reconciler.class);

	private final TickStore store;

	private final ProcessStore processes;

	private final RedisTime time;

	Reconciler(RedisConnections connections, String prefix, RedisTime time) {
		this.store = new TickStore(connections, prefix);
		this.processes = new ProcessStore(connections, prefix);
		this.time = time;
	}

	RedisTime time() {
		return this.time;
	}

	/**
	 * Return what is declared, or {@code null} if that is what the caller knows.
	 */
	@Nullable Declarations read(String version) {
		Declared known = told(this.store.read(version));
		return known.version().equals(version) ? null : Declarations.of(known);
	}

	/**
	 * Change what is declared.
	 * @param change makes the changes from what is declared at present. May be called
	 * several times, and throw an exception to change nothing
	 * @return what is declared then
	 */
	Declarations change(Declarations present, Function<Declarations, Map<String, @Nullable String>> change) {
		Declarations declarations = present;
		while (true) {
			Map<String, @Nullable String> changes = change.apply(declarations);
			if (changes.isEmpty()) {
				return declarations;
			}
			Declared known = told(this.store.change(declarations.version(), this.time.now(), changes));
			declarations = Declarations.of(known);
			if (known.done()) {
				return declarations;
			}
		}
	}

	private Declared told(Declared known) {
		this.time.set(known.now());
		return known;
	}

	/**
	 * Return processes that declare something and have said nothing for long. One that
	 * has just started, or stood still, has not said anything yet.
	 */
	Set<String> silent(Declarations declarations) {
		return this.processes.silent(declarations.processes());
	}

	/**
	 * Return the same, without those that workers have not forgotten yet. It costs one
	 * command while there are none.
	 */
	Set<String> forgotten(Declarations declarations) {
		Set<String> missing = new HashSet<>(declarations.processes());
		missing.removeAll(this.processes.names());
		return missing.isEmpty() ? missing : this.processes.silent(missing);
	}

	/**
	 * Return how things stand. Workers forget processes that were killed, if any are left
	 * to do so: who lives is looked at if something is late that a process should see to.
	 * @param name of one recurring job, or {@code null} for all
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
		Instant now = this.time.now();
		byQueue(declarations, name).forEach((queue, jobs) -> {
			Map<String, State> known = this.store.states(queue,
					jobs.stream().map((each) -> each.job().name()).toList());
			jobs.forEach((each) -> states.put(each.job().name(),
					RecurringState.of(each, known.get(each.job().name()), now)));
		});
		return List.copyOf(states.values());
	}

	private static Map<String, List<Effective>> byQueue(Declarations declarations, @Nullable String name) {
		return declarations.effective()
			.values()
			.stream()
			.filter((each) -> name == null || each.job().name().equals(name))
			.collect(Collectors.groupingBy((each) -> each.job().queue(), TreeMap::new, Collectors.toList()));
	}

	/**
	 * Bring queues up to date.
	 * @return the state of each recurring job that counts
	 */
	Map<String, State> apply(Declarations declarations) {
		Map<String, State> states = new HashMap<>();
		Map<String, State> left = new HashMap<>();
		Map<String, Set<String>> elsewhere = declarations.elsewhere();
		elsewhere.forEach((queue, names) -> left.putAll(this.store.states(queue, names)));
		forget(elsewhere, declarations);
		byQueue(declarations, null)
			.forEach((queue, jobs) -> states.putAll(apply(queue, declarations.number(), jobs, left)));
		return states;
	}

	/**
	 * Bring a queue up to date.
	 * @param left the states of recurring jobs that come from another queue
	 */
	private Map<String, State> apply(String queue, String version, List<Effective> jobs, Map<String, State> left) {
		List<String> names = jobs.stream().map((each) -> each.job().name()).toList();
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			Map<String, State> states = this.store.states(queue, names);
			List<Entry> changes = new ArrayList<>();
			jobs.forEach((each) -> {
				String name = each.job().name();
				Entry change = change(each, states.getOrDefault(name, left.get(name)), states.containsKey(name),
						this.time.now());
				if (change != null) {
					changes.add(change);
				}
			});
			if (changes.isEmpty()) {
				return states;
			}
			if (this.store.schedule(queue, version, changes)) {
				break;
			}
		}
		return this.store.states(queue, names);
	}

	/**
	 * Return what has to change of a recurring job, or {@code null}.
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
			next = nextToCome(job, (state != null) ? state.last() : null, now);
		}
		// What the former definition has missed is missed by the new one.
		return Entry.of(job.name(), effective.digest(), next);
	}

	/**
	 * Return the first tick that is still to come with its jitter.
	 * @param last the latest tick that was seen to, or {@code null}
	 */
	static @Nullable Instant nextToCome(RecurringJob job, @Nullable Instant last, Instant now) {
		Duration every = job.schedule().every();
		Duration jitter = job.schedule().jitter();
		Instant earliest = now.minus((every != null && every.compareTo(jitter) < 0) ? every : jitter);
		Instant next = job.schedule().next(job.name(), (last != null && last.isAfter(earliest)) ? last : earliest);
		while (next != null && !job.schedule().moved(job.name(), next).isAfter(now)) {
			next = job.schedule().next(job.name(), next);
		}
		return next;
	}

	/**
	 * Take recurring jobs out of queues. If something newer is in force in one, those
	 * stay that belong there by now.
	 * @param names names by queue
	 * @param declarations from which on they are gone: whoever knows only older ones does
	 * not bring them back
	 */
	void forget(Map<String, Set<String>> names, Declarations declarations) {
		names.forEach((queue, some) -> {
			Declarations known = declarations;
			Set<String> left = some;
			for (int attempt = 0; attempt < ATTEMPTS && !left.isEmpty(); attempt++) {
				if (this.store.schedule(queue, known.number(), left.stream().map(Entry::forgotten).toList())) {
					return;
				}
				known = Declarations.of(told(this.store.read("")));
				Set<String> there = known.namesOf(queue);
				left = left.stream().filter((name) -> !there.contains(name)).collect(Collectors.toSet());
			}
		});
	}

	/**
	 * Forget what applications declare no more that have other processes.
	 */
	Declarations forgetOld(Declarations present) {
		Map<String, RecurringJob> old = present.old();
		if (old.isEmpty() && present.forgetOldSets().isEmpty()) {
			return present;
		}
		Map<String, Set<String>> names = new LinkedHashMap<>();
		old.values().forEach((job) -> names.computeIfAbsent(job.queue(), (queue) -> new HashSet<>()).add(job.name()));
		forget(names, present);
		Declarations after = change(present, Declarations::forgetOldSets);
		old.values()
			.forEach(
					(job) -> logger.info("Recurring job '{}' is gone, as no process declares it any more", job.name()));
		return after;
	}

}

package io.github.steadyjobs.recurring;

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

import io.github.steadyjobs.recurring.Declarations.Effective;
import io.github.steadyjobs.redis.TickStore;
import io.github.steadyjobs.redis.TickStore.Entry;
import io.github.steadyjobs.redis.TickStore.Known;
import io.github.steadyjobs.redis.TickStore.State;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes what is declared, and brings queues up to date with it. Any process may do so
 * at any time: what is up to date stays as it is. Thread safe.
 */
final class Reconciler {

	/** Somebody may see to a tick, or put something newer into force, in between. */
	private static final int ATTEMPTS = 3;

	private static final Logger logger = LoggerFactory.getLogger(Reconciler.class);

	private final TickStore store;

	private final RedisTime time;

	Reconciler(TickStore store, RedisTime time) {
		this.store = store;
		this.time = time;
	}

	RedisTime time() {
		return this.time;
	}

	/**
	 * Return what is declared, or {@code null} if that is what the caller knows.
	 */
	@Nullable Declarations read(String version) {
		Known known = told(this.store.read(version));
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
			Known known = told(this.store.change(declarations.version(), changes));
			declarations = Declarations.of(known);
			if (known.done()) {
				return declarations;
			}
		}
	}

	private Known told(Known known) {
		this.time.set(known.now());
		return known;
	}

	/**
	 * Bring queues up to date.
	 * @return the state of each recurring job that counts
	 */
	Map<String, State> apply(Declarations declarations) {
		Map<String, State> states = new HashMap<>();
		Map<String, List<Effective>> queues = new TreeMap<>();
		declarations.effective()
			.values()
			.forEach((each) -> queues.computeIfAbsent(each.job().queue(), (queue) -> new ArrayList<>()).add(each));
		forget(declarations.elsewhere(), declarations.version());
		queues.forEach((queue, jobs) -> states.putAll(apply(queue, declarations.version(), jobs)));
		return states;
	}

	private Map<String, State> apply(String queue, String version, List<Effective> jobs) {
		List<String> names = jobs.stream().map((each) -> each.job().name()).toList();
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			Map<String, State> states = this.store.states(queue, names);
			List<Entry> changes = new ArrayList<>();
			jobs.forEach((each) -> {
				Entry change = change(each, states.get(each.job().name()));
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

	private @Nullable Entry change(Effective effective, @Nullable State state) {
		RecurringJob job = effective.job();
		if (effective.pause() != null) {
			return (state != null && state.next() == null && state.digest().equals("-")) ? null
					: Entry.paused(job.name());
		}
		if (state != null && state.digest().equals(effective.digest())) {
			return null;
		}
		Instant now = this.time.now();
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
		Instant earliest = now.minus(job.schedule().jitter());
		Instant next = job.schedule().next(job.name(), (last != null && last.isAfter(earliest)) ? last : earliest);
		while (next != null && !job.schedule().moved(job.name(), next).isAfter(now)) {
			next = job.schedule().next(job.name(), next);
		}
		return next;
	}

	/**
	 * Take recurring jobs out of queues.
	 * @param names names by queue
	 * @param version from which on they are gone: whoever knows only an older one does
	 * not bring them back
	 */
	void forget(Map<String, Set<String>> names, String version) {
		names.forEach(
				(queue, some) -> this.store.schedule(queue, version, some.stream().map(Entry::forgotten).toList()));
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
		forget(names, present.version());
		Declarations after = change(present, Declarations::forgetOldSets);
		old.values()
			.forEach(
					(job) -> logger.info("Recurring job '{}' is gone, as no process declares it any more", job.name()));
		return after;
	}

}

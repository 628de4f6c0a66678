package io.github.steadyjobs.recurring;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.recurring.RecurringState.Origin;
import io.github.steadyjobs.recurring.RecurringState.Pause;
import io.github.steadyjobs.redis.Declared;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who declares which recurring jobs, at one moment. Immutable.
 * <p>
 * Each process declares a set: those of its release. A set is known by its digest, and
 * has a rank: when the release was built or, if that is not known, one more than any
 * other. Of a name that several sets have, the set of the highest rank counts while one
 * of its processes lives.
 */
final class Declarations {

	private static final String SET = "set:";

	private static final String PROCESS = "process:";

	private static final String CREATED = "created:";

	private static final String PAUSED = "paused:";

	private static final Logger logger = LoggerFactory.getLogger(Declarations.class);

	private final String version;

	private final Map<String, DeclaredSet> sets = new HashMap<>();

	/** The sets of living processes. */
	private final Map<String, String> processes = new TreeMap<>();

	private final Map<String, RecurringJob> created = new TreeMap<>();

	private final Map<String, Pause> paused = new HashMap<>();

	private Map<String, Effective> effective = Map.of();

	private Declarations(String version) {
		this.version = version;
	}

	static Declarations of(Declared known) {
		Declarations all = new Declarations(known.version());
		known.fields().forEach((field, value) -> {
			try {
				all.add(field, value);
			}
			catch (RuntimeException ex) {
				// Written by a later version of this library, whose processes see to it.
				logger.debug("'{}' of recurring jobs cannot be read here", field, ex);
			}
		});
		all.effective = all.findEffective();
		return all;
	}

	private void add(String field, String value) {
		if (field.startsWith(SET)) {
			int space = value.indexOf(' ');
			this.sets.put(field.substring(SET.length()), DeclaredSet.of(Long.parseLong(value.substring(0, space)),
					RecurringJson.MAPPER.readTree(value.substring(space + 1))));
		}
		else if (field.startsWith(PROCESS)) {
			this.processes.put(field.substring(PROCESS.length()), value);
		}
		else if (field.startsWith(CREATED)) {
			this.created.put(field.substring(CREATED.length()), RecurringJson.read(value));
		}
		else if (field.startsWith(PAUSED)) {
			this.paused.put(field.substring(PAUSED.length()), Pause.of(RecurringJson.MAPPER.readTree(value)));
		}
	}

	/**
	 * Return what counts if processes are gone that could not say so.
	 */
	Declarations without(Collection<String> dead) {
		Declarations rest = new Declarations(this.version);
		rest.sets.putAll(this.sets);
		rest.processes.putAll(this.processes);
		rest.processes.keySet().removeAll(dead);
		rest.created.putAll(this.created);
		rest.paused.putAll(this.paused);
		rest.effective = rest.findEffective();
		return rest;
	}

	String version() {
		return this.version;
	}

	/**
	 * Return the number of the version, by which queues refuse older ones.
	 */
	String number() {
		return Long.toString(Declared.number(this.version));
	}

	boolean declares(String process, String set) {
		return Digest.hex(set).equals(this.processes.get(process));
	}

	/**
	 * Return what changes when a process declares a set.
	 * @param built when its release was built, {@code null} if that is not known
	 */
	Map<String, @Nullable String> declare(String process, String set, @Nullable Instant built) {
		String digest = Digest.hex(set);
		Map<String, @Nullable String> changes = new LinkedHashMap<>();
		Map<String, DeclaredSet> others = new HashMap<>(this.sets);
		DeclaredSet before = others.remove(digest);
		long wanted = (built != null) ? built.toEpochMilli() : 0;
		if (before == null || before.rank() < wanted || !this.processes.containsValue(digest)) {
			changes.put(SET + digest, rank(wanted, others.values()) + " " + set);
		}
		changes.put(PROCESS + process, digest);
		return changes;
	}

	/**
	 * Return a rank that no other set has. Sets of one build, with different
	 * configurations, get theirs in the order in which they come.
	 */
	private static long rank(long built, Collection<DeclaredSet> others) {
		Set<Long> taken = others.stream().map(DeclaredSet::rank).collect(Collectors.toSet());
		long rank = (built > 0) ? built : taken.stream().mapToLong(Long::longValue).max().orElse(0) + 1;
		while (taken.contains(rank)) {
			rank++;
		}
		return rank;
	}

	/**
	 * Return what changes when processes are gone.
	 */
	Map<String, @Nullable String> leave(Collection<String> gone) {
		Map<String, @Nullable String> changes = new LinkedHashMap<>();
		gone.stream().filter(this.processes::containsKey).forEach((process) -> changes.put(PROCESS + process, null));
		return changes;
	}

	/**
	 * Return what changes when sets are forgotten that no process declares, of
	 * applications that have other processes.
	 */
	Map<String, @Nullable String> forgetOldSets() {
		Map<String, @Nullable String> changes = new LinkedHashMap<>();
		oldSets().forEach((digest) -> changes.put(SET + digest, null));
		return changes;
	}

	/**
	 * Return the recurring jobs that only such sets have, by their names.
	 */
	Map<String, RecurringJob> old() {
		Map<String, RecurringJob> old = new TreeMap<>();
		oldSets().forEach((digest) -> set(digest).recurring().forEach((job) -> old.put(job.name(), job)));
		old.keySet().removeAll(this.effective.keySet());
		return old;
	}

	private List<String> oldSets() {
		Set<String> living = livingApplications();
		return this.sets.keySet()
			.stream()
			.filter((digest) -> !this.processes.containsValue(digest) && living.contains(set(digest).application()))
			.toList();
	}

	private DeclaredSet set(String digest) {
		return Objects.requireNonNull(this.sets.get(digest));
	}

	private Set<String> livingApplications() {
		return living().map(DeclaredSet::application).collect(Collectors.toSet());
	}

	static Map<String, @Nullable String> create(RecurringJob job) {
		Map<String, @Nullable String> changes = new LinkedHashMap<>();
		changes.put(CREATED + job.name(), RecurringJson.write(job).toString());
		return changes;
	}

	/**
	 * Return what changes when a recurring job is deleted. Also from sets of applications
	 * that are down: it comes back with them.
	 */
	Map<String, @Nullable String> delete(String name) {
		Map<String, @Nullable String> changes = new LinkedHashMap<>();
		changes.put(CREATED + name, null);
		changes.put(PAUSED + name, null);
		this.sets.forEach((digest, set) -> {
			if (set.has(name)) {
				List<RecurringJob> others = set.recurring().stream().filter((job) -> !job.name().equals(name)).toList();
				changes.put(SET + digest, set.rank() + " " + DeclaredSet.json(set.application(), set.jobs(), others));
			}
		});
		return changes;
	}

	/**
	 * Return whether a living process declares a recurring job.
	 */
	boolean isDeclared(String name) {
		return living().anyMatch((set) -> set.has(name));
	}

	static Map<String, @Nullable String> pause(String name, @Nullable Pause pause) {
		Map<String, @Nullable String> changes = new LinkedHashMap<>();
		changes.put(PAUSED + name, (pause != null) ? pause.json() : null);
		return changes;
	}

	Set<String> processes() {
		return Set.copyOf(this.processes.keySet());
	}

	boolean isEmpty() {
		return this.created.isEmpty() && this.sets.values().stream().allMatch((set) -> set.recurring().isEmpty());
	}

	/**
	 * Return the recurring jobs that count, by their names. What is declared comes before
	 * what was created.
	 */
	Map<String, Effective> effective() {
		return this.effective;
	}

	/**
	 * Return the names of those that are in a queue.
	 */
	Set<String> namesOf(String queue) {
		return this.effective.values()
			.stream()
			.filter((each) -> each.job().queue().equals(queue))
			.map((each) -> each.job().name())
			.collect(Collectors.toSet());
	}

	/**
	 * Return which applications that are up declare a recurring job of a process as well:
	 * the name of the recurring job, and those of the applications. There is only one of
	 * a name, so all but one of them do not get what they want.
	 */
	Map<String, Set<String>> shared(String process) {
		String own = this.processes.get(process);
		Map<String, Set<String>> shared = new TreeMap<>();
		this.sets.forEach((digest, set) -> {
			if (this.processes.containsValue(digest)) {
				set.recurring()
					.forEach((job) -> shared.computeIfAbsent(job.name(), (name) -> new TreeSet<>())
						.add(set.application()));
			}
		});
		shared.entrySet()
			.removeIf((each) -> each.getValue().size() < 2 || own == null || !this.sets.containsKey(own)
					|| !set(own).has(each.getKey()));
		return shared;
	}

	private Map<String, Effective> findEffective() {
		Map<String, Effective> all = new TreeMap<>();
		this.created.forEach((name, job) -> all.put(name, effective(job, Origin.CREATED)));
		// Of an application that is down, nothing is forgotten.
		Map<String, DeclaredSet> counting = new HashMap<>(this.sets);
		counting.keySet().removeAll(oldSets());
		List<DeclaredSet> sets = new ArrayList<>(counting.values());
		sets.sort(Comparator.comparingLong(DeclaredSet::rank));
		sets.forEach((set) -> set.recurring().forEach((job) -> all.put(job.name(), effective(job, Origin.DECLARED))));
		return Collections.unmodifiableMap(all);
	}

	/**
	 * Return recurring jobs that are defined in another queue than the one that counts as
	 * well: their names, by that queue.
	 */
	Map<String, Set<String>> elsewhere() {
		Map<String, Set<String>> elsewhere = new TreeMap<>();
		Stream
			.concat(this.created.values().stream(),
					this.sets.values().stream().flatMap((set) -> set.recurring().stream()))
			.filter((job) -> this.effective.containsKey(job.name()))
			.filter((job) -> !Objects.requireNonNull(this.effective.get(job.name())).job().queue().equals(job.queue()))
			.forEach((job) -> elsewhere.computeIfAbsent(job.queue(), (queue) -> new HashSet<>()).add(job.name()));
		return elsewhere;
	}

	private Effective effective(RecurringJob job, Origin origin) {
		return new Effective(job, Digest.hex(RecurringJson.write(job).toString()), origin, this.paused.get(job.name()),
				runners(job.job()).findAny().isPresent());
	}

	/**
	 * Return whether a living process says that a job is idempotent.
	 */
	boolean isIdempotent(String job) {
		return runners(job).anyMatch((set) -> Boolean.TRUE.equals(set.jobs().get(job)));
	}

	/**
	 * Return the sets of living processes that can run a job.
	 */
	private Stream<DeclaredSet> runners(String job) {
		return living().filter((set) -> set.jobs().containsKey(job));
	}

	private Stream<DeclaredSet> living() {
		return new HashSet<>(this.processes.values()).stream().filter(this.sets::containsKey).map(this::set);
	}

	/**
	 * A recurring job that counts.
	 *
	 * @param job the definition
	 * @param digest of the definition
	 * @param origin where it comes from
	 * @param pause since when and why it is paused, {@code null} if it is not
	 * @param isRunnable whether a living process can run its job
	 */
	record Effective(RecurringJob job, String digest, Origin origin, @Nullable Pause pause, boolean isRunnable) {

	}

}

package io.github.steadyjobs.recurring;

import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
 * Each process declares a set: the recurring jobs of its release. A set is identified by
 * its digest and has a rank: the build time of the release or, if that is not known, one
 * more than any other. If several sets have the same name, the set of the highest rank
 * counts while one of its processes lives.
 */
final class Declarations {

	private static final String SET = "set:";

	private static final String PROCESS = "process:";

	private static final String CREATED = "created:";

	private static final String PAUSED = "paused:";

	private static final Logger logger = LoggerFactory.getLogger(Declarations.class);

	/** The state before anything has been read. */
	static final Declarations NONE = of(new Declared(true, Instant.EPOCH, "", Map.of()));

	private final String version;

	private final Map<String, String> fields;

	/** The sets of living processes, and of applications that are down. */
	private final Map<String, DeclaredSet> sets = new HashMap<>();

	/** The sets that no process declares, of applications that have other processes. */
	private final Map<String, DeclaredSet> old = new HashMap<>();

	/** The digests of the sets of living processes. */
	private final Map<String, String> processes = new TreeMap<>();

	private final Map<String, RecurringJob> created = new TreeMap<>();

	private final Map<String, Pause> paused = new HashMap<>();

	private final Map<String, Effective> effective = new TreeMap<>();

	private Declarations(String version, Map<String, String> fields) {
		this.version = version;
		this.fields = fields;
		fields.forEach((field, value) -> {
			try {
				add(field, value);
			}
			catch (RuntimeException ex) {
				// Written by a later version of this library, whose processes handle it.
				logger.debug("'{}' of recurring jobs cannot be read here", field, ex);
			}
		});
		Set<String> up = living().map(DeclaredSet::application).collect(Collectors.toSet());
		this.sets.forEach((digest, set) -> {
			if (!this.processes.containsValue(digest) && up.contains(set.application())) {
				this.old.put(digest, set);
			}
		});
		this.sets.keySet().removeAll(this.old.keySet());
		this.created.values().forEach((job) -> put(job, Origin.CREATED));
		this.sets.values()
			.stream()
			.sorted(Comparator.comparingLong(DeclaredSet::rank))
			.forEach((set) -> set.recurring().forEach((job) -> put(job, Origin.DECLARED)));
	}

	static Declarations of(Declared known) {
		return new Declarations(known.version(), known.fields());
	}

	private void add(String field, String value) {
		String name = field.substring(field.indexOf(':') + 1);
		if (field.startsWith(SET)) {
			this.sets.put(name, DeclaredSet.of(value));
		}
		else if (field.startsWith(PROCESS)) {
			this.processes.put(name, value);
		}
		else if (field.startsWith(CREATED)) {
			this.created.put(name, DeclaredSet.job(value));
		}
		else if (field.startsWith(PAUSED)) {
			this.paused.put(name, DeclaredSet.MAPPER.readValue(value, Pause.class));
		}
	}

	private void put(RecurringJob job, Origin origin) {
		this.effective.put(job.name(), new Effective(job, DeclaredSet.hex(DeclaredSet.json(job)), origin,
				this.paused.get(job.name()), runners(job.job()).findAny().isPresent()));
	}

	/** Return what counts without processes that died before they could leave. */
	Declarations without(Collection<String> dead) {
		Map<String, String> rest = new HashMap<>(this.fields);
		dead.forEach((process) -> rest.remove(PROCESS + process));
		return new Declarations(this.version, rest);
	}

	String version() {
		return this.version;
	}

	/** Return the number of the version. Queues use it to refuse older versions. */
	String number() {
		return Long.toString(Declared.number(this.version));
	}

	boolean declares(String process, String set) {
		return DeclaredSet.hex(set).equals(this.processes.get(process));
	}

	/**
	 * Return what changes when a process declares a set.
	 * @param built when its release was built, {@code null} if that is not known
	 */
	Map<String, @Nullable String> declare(String process, String set, @Nullable Instant built) {
		String digest = DeclaredSet.hex(set);
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
	 * Return a rank that no other set has. Sets of one build with different
	 * configurations are ranked in order of arrival.
	 */
	private static long rank(long built, Collection<DeclaredSet> others) {
		Set<Long> taken = others.stream().map(DeclaredSet::rank).collect(Collectors.toSet());
		long rank = (built > 0) ? built : taken.stream().mapToLong(Long::longValue).max().orElse(0) + 1;
		while (taken.contains(rank)) {
			rank++;
		}
		return rank;
	}

	Map<String, @Nullable String> leave(Collection<String> gone) {
		return removed(PROCESS, gone.stream().filter(this.processes::containsKey));
	}

	Map<String, @Nullable String> forgetOld() {
		return removed(SET, this.old.keySet().stream());
	}

	private static Map<String, @Nullable String> removed(String kind, Stream<String> names) {
		Map<String, @Nullable String> changes = new LinkedHashMap<>();
		names.forEach((name) -> changes.put(kind + name, null));
		return changes;
	}

	/** Return the names of the recurring jobs that are removed along with old sets. */
	Set<String> gone() {
		return recurring(this.old).map(RecurringJob::name)
			.filter((name) -> !this.effective.containsKey(name))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	static Map<String, @Nullable String> create(RecurringJob job) {
		return Collections.singletonMap(CREATED + job.name(), DeclaredSet.json(job));
	}

	/**
	 * Return what changes when a recurring job is deleted. It is also removed from the
	 * sets of applications that are down, and comes back with them.
	 */
	Map<String, @Nullable String> delete(String name) {
		Map<String, @Nullable String> changes = new LinkedHashMap<>(pause(name, null));
		changes.put(CREATED + name, null);
		this.sets.forEach((digest, set) -> {
			if (set.has(name)) {
				changes.put(SET + digest, set.without(name));
			}
		});
		return changes;
	}

	boolean isDeclared(String name) {
		return living().anyMatch((set) -> set.has(name));
	}

	static Map<String, @Nullable String> pause(String name, @Nullable Pause pause) {
		return Collections.singletonMap(PAUSED + name,
				(pause != null) ? DeclaredSet.MAPPER.writeValueAsString(pause) : null);
	}

	Set<String> processes() {
		return Set.copyOf(this.processes.keySet());
	}

	/**
	 * Return the recurring jobs that count, by name. A declared one takes precedence over
	 * a created one.
	 */
	Map<String, Effective> effective() {
		return this.effective;
	}

	Set<String> namesOf(String queue) {
		return this.effective.values()
			.stream()
			.filter((each) -> each.queue().equals(queue))
			.map(Effective::name)
			.collect(Collectors.toSet());
	}

	/**
	 * Return the recurring jobs of a process that several running applications declare:
	 * the name of the recurring job, and the names of the applications. Only one
	 * definition of a name can count, so only one of them gets what it declares.
	 */
	Map<String, Set<String>> shared(String process) {
		DeclaredSet own = this.sets.get(this.processes.getOrDefault(process, ""));
		Map<String, Set<String>> shared = new TreeMap<>();
		living().forEach((set) -> set.recurring()
			.forEach((job) -> shared.computeIfAbsent(job.name(), (name) -> new TreeSet<>()).add(set.application())));
		shared.entrySet().removeIf((each) -> each.getValue().size() < 2 || own == null || !own.has(each.getKey()));
		return shared;
	}

	/**
	 * Return definitions that do not count, and are in a queue in which no other one of
	 * their name counts: their names, by that queue.
	 */
	Map<String, Set<String>> elsewhere() {
		Map<String, Set<String>> elsewhere = new TreeMap<>();
		Stream.of(this.created.values().stream(), recurring(this.sets), recurring(this.old))
			.flatMap((jobs) -> jobs)
			.filter((job) -> {
				Effective counts = this.effective.get(job.name());
				return counts == null || !counts.queue().equals(job.queue());
			})
			.forEach((job) -> elsewhere.computeIfAbsent(job.queue(), (queue) -> new HashSet<>()).add(job.name()));
		return elsewhere;
	}

	private static Stream<RecurringJob> recurring(Map<String, DeclaredSet> sets) {
		return sets.values().stream().flatMap((set) -> set.recurring().stream());
	}

	/** Return whether a living process declares a job as idempotent. */
	boolean isIdempotent(String job) {
		return runners(job).anyMatch((set) -> Boolean.TRUE.equals(set.jobs().get(job)));
	}

	private Stream<DeclaredSet> runners(String job) {
		return living().filter((set) -> set.jobs().containsKey(job));
	}

	private Stream<DeclaredSet> living() {
		return this.processes.values().stream().distinct().map(this.sets::get).filter(Objects::nonNull);
	}

	/**
	 * A recurring job that counts.
	 *
	 * @param digest of the definition
	 * @param isRunnable whether a living process can run its job
	 */
	record Effective(RecurringJob job, String digest, Origin origin, @Nullable Pause pause, boolean isRunnable) {

		String name() {
			return this.job.name();
		}

		String queue() {
			return this.job.queue();
		}

	}

}

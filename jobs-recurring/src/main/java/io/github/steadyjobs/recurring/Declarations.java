package io.github.steadyjobs.recurring;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
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
 * A snapshot of the recurring jobs that all processes declare. Immutable.
 * <p>
 * Each process declares a set: the recurring jobs of its release. The digest of a set
 * identifies that set. Each set has a rank. The rank is the build time of the release or,
 * if that is unknown, one more than the rank of any other set. If several sets contain
 * the same name, the definition in the set with the highest rank is in effect. A set is
 * old, and its definitions have no effect, if its application has live processes and all
 * of them declare other sets. The sets of an application that is down stay in effect.
 */
final class Declarations {

	private static final String SET = "set:";

	private static final String PROCESS = "process:";

	private static final String CREATED = "created:";

	private static final String PAUSED = "paused:";

	private static final Logger logger = LoggerFactory.getLogger(Declarations.class);

	/** The state before anything has been read. */
	static final Declarations NONE = new Declarations("", Map.of());

	private final String version;

	private final Map<String, String> fields;

	/** All sets, by their digests. */
	private final Map<String, DeclaredSet> sets = new HashMap<>();

	/** The digest of the set that each live process declares, by process. */
	private final Map<String, String> processes = new TreeMap<>();

	/** The sets of live processes. */
	private final List<DeclaredSet> living;

	/**
	 * Digests of old sets: the live processes of the application all declare other sets.
	 */
	private final Set<String> old = new TreeSet<>();

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
				// Presumably, a later version of this library has written this field, and
				// processes of that version handle it.
				logger.debug("'{}' of recurring jobs cannot be read here", field, ex);
			}
		});
		this.living = this.processes.values().stream().distinct().map(this.sets::get).filter(Objects::nonNull).toList();
		Set<String> up = this.living.stream().map(DeclaredSet::application).collect(Collectors.toSet());
		this.sets.forEach((digest, set) -> {
			if (!this.processes.containsValue(digest) && up.contains(set.application())) {
				this.old.add(digest);
			}
		});
		this.created.values().forEach((job) -> put(job, Origin.CREATED));
		this.sets.keySet()
			.stream()
			.filter((digest) -> !this.old.contains(digest))
			.map(this.sets::get)
			.sorted(Comparator.comparingLong(DeclaredSet::rank))
			.forEach((set) -> set.recurring().forEach((job) -> put(job, Origin.DECLARED)));
	}

	static Declarations of(Declared known) {
		return new Declarations(known.version(), known.fields());
	}

	private void add(String field, String value) {
		String kind = field.substring(0, field.indexOf(':') + 1);
		String name = field.substring(kind.length());
		switch (kind) {
			case SET -> this.sets.put(name, DeclaredSet.of(value));
			case PROCESS -> this.processes.put(name, value);
			case CREATED -> this.created.put(name, DeclaredSet.job(value));
			case PAUSED -> this.paused.put(name, DeclaredSet.MAPPER.readValue(value, Pause.class));
			default -> logger.debug("'{}' of recurring jobs is of a later version of this library", field);
		}
	}

	private void put(RecurringJob job, Origin origin) {
		boolean isRunnable = this.living.stream().anyMatch((set) -> set.canRun(job.job()));
		this.effective.put(job.name(), new Effective(job, DeclaredSet.hex(DeclaredSet.json(job)), origin,
				this.paused.get(job.name()), isRunnable));
	}

	/** Return a copy without the declarations of the given dead processes. */
	Declarations without(Collection<String> dead) {
		Map<String, String> rest = new HashMap<>(this.fields);
		dead.forEach((process) -> rest.remove(PROCESS + process));
		return new Declarations(this.version, rest);
	}

	String version() {
		return this.version;
	}

	/**
	 * Return the number of the version. Queues refuse changes with a number lower than
	 * the highest that they know.
	 */
	String number() {
		return Long.toString(Declared.number(this.version));
	}

	/**
	 * Return the changes with which a process declares a set; empty if the process has
	 * already declared that set.
	 */
	Map<String, @Nullable String> declare(String process, DeclaredSet set) {
		String digest = DeclaredSet.hex(set.json());
		if (digest.equals(this.processes.get(process))) {
			return Map.of();
		}
		Map<String, DeclaredSet> others = new HashMap<>(this.sets);
		DeclaredSet before = others.remove(digest);
		boolean isInForce = before != null && before.rank() >= set.rank() && this.processes.containsValue(digest);
		return isInForce ? Map.of(PROCESS + process, digest)
				: Map.of(PROCESS + process, digest, SET + digest, rank(set.rank(), others.values()) + " " + set.json());
	}

	/**
	 * Return a rank that no other set has. Sets of one build with different
	 * configurations are ranked in order of arrival. Their ranks are less than a second
	 * apart, and builds are further apart than that.
	 */
	private static long rank(long built, Collection<DeclaredSet> others) {
		long from = (built > 0) ? built : 1;
		long to = (built > 0) ? built + 1000 : Long.MAX_VALUE;
		return others.stream()
			.mapToLong(DeclaredSet::rank)
			.filter((rank) -> rank >= from && rank < to)
			.map((rank) -> rank + 1)
			.max()
			.orElse(from);
	}

	Map<String, @Nullable String> leave(Collection<String> gone) {
		return removed(PROCESS, gone.stream().filter(this.processes::containsKey));
	}

	/**
	 * Return the changes that remove sets that are old now and were already old before.
	 */
	Map<String, @Nullable String> forgetOld(Declarations before) {
		return removed(SET, before.old.stream().filter(this.old::contains));
	}

	private static Map<String, @Nullable String> removed(String kind, Stream<String> names) {
		Map<String, @Nullable String> changes = new LinkedHashMap<>();
		names.forEach((name) -> changes.put(kind + name, null));
		return changes;
	}

	/**
	 * Return the names of recurring jobs that are only in old sets, and that no process
	 * has declared again in the given later declarations.
	 */
	Set<String> gone(Declarations later) {
		return recurring().map(RecurringJob::name)
			.filter((name) -> !this.effective.containsKey(name) && !later.effective.containsKey(name))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	static Map<String, @Nullable String> create(RecurringJob job) {
		return Collections.singletonMap(CREATED + job.name(), DeclaredSet.json(job));
	}

	/**
	 * Return the changes that delete a recurring job. The recurring job is also removed
	 * from the sets of applications that are down, but it reappears when such an
	 * application starts.
	 */
	Map<String, @Nullable String> delete(String name) {
		Map<String, @Nullable String> changes = new LinkedHashMap<>(pause(name, null));
		changes.put(CREATED + name, null);
		this.sets.forEach((digest, set) -> {
			if (set.has(name)) {
				changes.put(SET + digest, set.rank() + " " + set.without(name).json());
			}
		});
		return changes;
	}

	/** Return the running applications that declare a recurring job. */
	Set<String> applications(String name) {
		return this.living.stream()
			.filter((set) -> set.has(name))
			.map(DeclaredSet::application)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	static Map<String, @Nullable String> pause(String name, @Nullable Pause pause) {
		return Collections.singletonMap(PAUSED + name,
				(pause != null) ? DeclaredSet.MAPPER.writeValueAsString(pause) : null);
	}

	Set<String> processes() {
		return Set.copyOf(this.processes.keySet());
	}

	/**
	 * Return the recurring jobs with the definitions that are in effect, by name. A
	 * declared recurring job takes precedence over a created one of the same name.
	 */
	Map<String, Effective> effective() {
		return this.effective;
	}

	/** Return whether the definition in effect for a name belongs to the given queue. */
	boolean isIn(String queue, String name) {
		Effective counts = this.effective.get(name);
		return counts != null && counts.queue().equals(queue);
	}

	/**
	 * Return, by queue, the names of recurring jobs that are defined for the queue but
	 * whose definition in effect, if any, is for another queue.
	 */
	Map<String, Set<String>> elsewhere() {
		return recurring().filter((job) -> !isIn(job.queue(), job.name()))
			.collect(Collectors.groupingBy(RecurringJob::queue, TreeMap::new,
					Collectors.mapping(RecurringJob::name, Collectors.toSet())));
	}

	/** Return all definitions, including those that are not in effect. */
	private Stream<RecurringJob> recurring() {
		return Stream.concat(this.created.values().stream(),
				this.sets.values().stream().flatMap((set) -> set.recurring().stream()));
	}

	/** Return whether a live process declares a job as idempotent. */
	boolean isIdempotent(String job) {
		return this.living.stream().anyMatch((set) -> set.idempotent().contains(job));
	}

	/**
	 * A recurring job, with the definition that is in effect.
	 *
	 * @param digest the digest of the definition
	 * @param isRunnable whether a live process can run its job
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

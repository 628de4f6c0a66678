package io.github.steadyjobs.doctor;

import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.doctor.Finding.Severity;
import io.github.steadyjobs.pause.PauseStore;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.QueueMonitor.DataSet;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ServerNode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for present or imminent problems with Redis, and for pauses. Never changes
 * anything in Redis. Thread safe.
 */
public final class Doctor {

	private static final Logger logger = LoggerFactory.getLogger(Doctor.class);

	private static final Map<Check, Function<ServerFacts, Optional<Verdict>>> RULES = new EnumMap<>(
			Map.of(Check.EVICTION, Verdict::eviction, Check.PERSISTENCE, Verdict::persistence, Check.VERSION,
					Verdict::version, Check.CLOCK_SKEW, Verdict::clockSkew, Check.ROUND_TRIP, Verdict::roundTrip,
					Check.MEMORY, Verdict::headroom));

	/** Maximum number of queues that are named in one line of the log. */
	private static final int MOST_NAMED = 10;

	private final RedisConnections connections;

	private final Clock clock;

	private final QueueMonitor queues;

	private final PauseStore pauses;

	private final Map<Check, Severity> severities;

	private final BooleanSupplier worker;

	private final Map<Check, Examination> others;

	private final Map<Check, Severity> logged = new EnumMap<>(Check.class);

	private final AtomicInteger examinations = new AtomicInteger();

	private int lastLogged;

	private volatile boolean slow;

	private final Map<String, DataSet> dataSets = new HashMap<>();

	private final Map<String, String> losses = new TreeMap<>();

	/**
	 * Create a doctor.
	 * @param clock the clock with which the clock of the server is compared
	 * @param severities the severity of the findings of each check; a missing check is
	 * off
	 * @param worker whether this application runs jobs or only enqueues them
	 * @param others the checks of other modules
	 */
	public Doctor(RedisConnections connections, String prefix, Clock clock, Map<Check, Severity> severities,
			BooleanSupplier worker, List<Examination> others) {
		this.connections = connections;
		this.clock = clock;
		this.queues = new QueueMonitor(connections, prefix);
		this.pauses = new PauseStore(connections, prefix);
		this.severities = Map.copyOf(severities);
		this.worker = worker;
		this.others = others.stream().collect(Collectors.toMap(Examination::check, Function.identity()));
	}

	/**
	 * Examine Redis. Takes four round trips (in a cluster, four per primary), one for
	 * pauses, and those of other modules' checks. Logs each finding once while it lasts.
	 * @return the findings, at most one for each check
	 * @throws JobStoreException if Redis refused the request, is not reachable or did not
	 * answer
	 */
	public List<Finding> examine() {
		return examine((check) -> true);
	}

	/**
	 * Examine Redis after the application has started. Checks that need workers are left
	 * out, because the workers may not have started yet.
	 */
	List<Finding> examineAfterStart() {
		return examine((check) -> {
			Examination other = this.others.get(check);
			return other == null || !other.needsWorkers();
		});
	}

	/**
	 * Examine Redis while the application starts. While this machine is busy with the
	 * start, answers arrive late even from a fast Redis, so slow answers are reported
	 * only if they prevent the start.
	 */
	List<Finding> examineAtStart() {
		return examine((check) -> !this.others.containsKey(check)
				&& (check != Check.ROUND_TRIP || severity(check) == Severity.FAIL));
	}

	private List<Finding> examine(Predicate<Check> reported) {
		int number = this.examinations.incrementAndGet();
		List<Finding> findings = judge(
				ServerNode.all(this.connections).stream().map((node) -> ServerFacts.of(node, this.clock)).toList());
		boolean slow = findings.stream().anyMatch((finding) -> finding.check() == Check.ROUND_TRIP);
		look(Check.PAUSES, () -> Verdict.pauses(this.pauses.read())).ifPresent(findings::add);
		this.others.forEach((check, other) -> {
			if (reported.test(check)) {
				look(check, () -> other.examine().map(Verdict::of)).ifPresent(findings::add);
			}
		});
		findings.removeIf((finding) -> !reported.test(finding.check()) || isNewlySlow(finding));
		this.slow = slow;
		log(number, findings);
		return findings;
	}

	/**
	 * Return whether to ignore a finding of slow answers because the previous examination
	 * did not have it: a machine that is busy for a moment makes answers slow, too. A
	 * finding that would prevent the start is never ignored.
	 */
	private boolean isNewlySlow(Finding finding) {
		return finding.check() == Check.ROUND_TRIP && !this.slow && severity(Check.ROUND_TRIP) != Severity.FAIL;
	}

	List<Finding> judge(List<ServerFacts> facts) {
		List<Finding> findings = new ArrayList<>();
		RULES.forEach((check,
				rule) -> look(check, () -> facts.stream()
					.flatMap((server) -> rule.apply(server).map((verdict) -> at(server.node(), verdict)).stream())
					.reduce(Doctor::both)).ifPresent(findings::add));
		if (severity(Check.REPLICA_READS) != Severity.OFF && this.connections.readsReplicas()) {
			findings.add(new Finding(Check.REPLICA_READS, severity(Check.REPLICA_READS),
					"The application reads from replicas ('spring.data.redis.lettuce.read-from'). This does not apply to jobs, whose connections always talk to the primary: a replica may lag behind.",
					"There is nothing to do."));
		}
		return findings;
	}

	private Optional<Finding> look(Check check, Supplier<Optional<Verdict>> rule) {
		if (severity(check) == Severity.OFF) {
			return Optional.empty();
		}
		try {
			return rule.get().map((verdict) -> finding(check, verdict));
		}
		catch (JobStoreException ex) {
			if (ex.reason() != Reason.REFUSED && ex.reason() != Reason.DAMAGED) {
				throw ex;
			}
			// Skip only this check, and keep the findings of the others. Other parts that
			// need the same data report this failure.
			logger.debug("The check '{}' cannot be made", check.id(), ex);
			return Optional.empty();
		}
	}

	private static Verdict at(String node, Verdict verdict) {
		return node.isEmpty() ? verdict
				: new Verdict(verdict.atMost(), node + ": " + verdict.problem(), verdict.action());
	}

	private static Verdict both(Verdict first, Verdict second) {
		Verdict worse = (second.atMost().compareTo(first.atMost()) > 0) ? second : first;
		return new Verdict(worse.atMost(), first.problem() + " " + second.problem(), worse.action());
	}

	private Finding finding(Check check, Verdict verdict) {
		Severity set = severity(check);
		Severity severity = (set.compareTo(verdict.atMost()) > 0) ? verdict.atMost() : set;
		return new Finding(check, severity, verdict.problem(), verdict.action());
	}

	private Severity severity(Check check) {
		return this.severities.getOrDefault(check, Severity.OFF);
	}

	/** Log each finding once while it lasts, and again only if it gets worse. */
	private void log(int examination, List<Finding> findings) {
		synchronized (this.logged) {
			if (examination < this.lastLogged) {
				// Health has examined Redis in the meantime, and knows better.
				return;
			}
			this.lastLogged = examination;
			this.logged.keySet().retainAll(findings.stream().map(Finding::check).toList());
			for (Finding finding : findings) {
				Severity before = this.logged.put(finding.check(), finding.severity());
				if (before == null || before.compareTo(finding.severity()) < 0) {
					log(finding);
				}
			}
		}
	}

	private void log(Finding finding) {
		String text = "{}: {} (steadyjobs.doctor.severity.{})";
		switch (finding.severity()) {
			case OFF, INFO -> logger.info(text, redis(), finding, finding.check().id());
			case WARN -> logger.warn(text, redis(), finding, finding.check().id());
			case ERROR, FAIL -> logger.error(text, redis(), finding, finding.check().id());
		}
	}

	/**
	 * Check whether Redis has lost data since the last check, in a process that only
	 * enqueues jobs. Workers learn of lost data from the answers to their claims and
	 * heartbeats.
	 * @throws JobStoreException if Redis refused the request, is not reachable or did not
	 * answer
	 */
	void lookForLosses() {
		synchronized (this.dataSets) {
			// Also include the queues whose names were lost.
			Set<String> names = new TreeSet<>(this.dataSets.keySet());
			names.addAll(this.queues.queues());
			Map<String, String> found = new TreeMap<>();
			this.queues.dataSets(names).forEach((queue, data) -> {
				String loss = loss(this.dataSets.put(queue, data), data);
				if (loss != null) {
					found.put(QueueRef.queueOf(queue), loss);
				}
			});
			if (!found.isEmpty()) {
				this.losses.putAll(found);
				logger.error("Redis has lost data: {}. Jobs that were enqueued in the meantime may be missing. {}",
						describe(found), this.queues.causesOfLoss());
			}
		}
	}

	private static String describe(Map<String, String> losses) {
		String named = losses.entrySet()
			.stream()
			.limit(MOST_NAMED)
			.map((loss) -> loss.getValue() + " of queue " + loss.getKey())
			.collect(Collectors.joining(", "));
		int others = losses.size() - MOST_NAMED;
		return (others > 0) ? named + " and of %d more".formatted(others) : named;
	}

	private static @Nullable String loss(@Nullable DataSet before, DataSet found) {
		if (before == null || before.epoch().isEmpty()) {
			return null;
		}
		if (!before.epoch().equals(found.epoch())) {
			return "everything";
		}
		return (found.seq() < before.seq()) ? "its last %d changes".formatted(before.seq() - found.seq()) : null;
	}

	/**
	 * Return the losses of data that this doctor has found, by queue; empty in a process
	 * that runs jobs, because its workers notice losses.
	 */
	public Map<String, String> dataLosses() {
		synchronized (this.dataSets) {
			return new TreeMap<>(this.losses);
		}
	}

	/** Return the checks that are made: all checks that are not switched off. */
	public Set<Check> checks() {
		Set<Check> checks = EnumSet.of(Check.REPLICA_READS, Check.PAUSES);
		checks.addAll(RULES.keySet());
		checks.addAll(this.others.keySet());
		checks.removeIf((check) -> severity(check) == Severity.OFF);
		return checks;
	}

	/** Return whether this application has workers, which notice lost data at once. */
	boolean runsJobs() {
		return this.worker.getAsBoolean();
	}

	String redis() {
		return this.queues.redis();
	}

	boolean refusesStart() {
		return this.severities.containsValue(Severity.FAIL);
	}

	boolean isOff() {
		return this.severities.values().stream().allMatch(Severity.OFF::equals);
	}

}

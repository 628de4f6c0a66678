package io.github.steadyjobs.doctor;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.Denials;
import io.github.steadyjobs.redis.ServerFacts;
import io.github.steadyjobs.redis.ServerProbe;

/**
 * Looks for what is wrong with Redis, or about to be. Changes nothing there. Thread safe.
 */
public final class Doctor {

	/**
	 * The document that says how to set up the user of Redis.
	 */
	private static final String DOCUMENT = "docs/operations.md";

	private static final Map<Check, Function<ServerFacts, Optional<Verdict>>> JUDGES = judges();

	private final ServerProbe probe;

	private final Map<Check, Severity> severities;

	private final BooleanSupplier worker;

	private final FindingLog log;

	private final LossWatch losses;

	/**
	 * Create a doctor.
	 * @param probe asks the servers
	 * @param severities how bad what the checks find is; a check that is not named is off
	 * @param worker tells whether this application runs jobs, or only enqueues them
	 */
	public Doctor(ServerProbe probe, Map<Check, Severity> severities, BooleanSupplier worker) {
		this.probe = probe;
		this.severities = Map.copyOf(severities);
		this.worker = worker;
		this.log = new FindingLog(probe.queues()::redis);
		this.losses = new LossWatch(probe.queues());
	}

	private static Map<Check, Function<ServerFacts, Optional<Verdict>>> judges() {
		Map<Check, Function<ServerFacts, Optional<Verdict>>> judges = new EnumMap<>(Check.class);
		judges.put(Check.EVICTION, MemoryVerdicts::eviction);
		judges.put(Check.PERSISTENCE, ServerVerdicts::persistence);
		judges.put(Check.VERSION, ServerVerdicts::version);
		judges.put(Check.CLOCK_SKEW, ServerVerdicts::clockSkew);
		judges.put(Check.ROUND_TRIP, ServerVerdicts::roundTrip);
		judges.put(Check.MEMORY, MemoryVerdicts::headroom);
		return judges;
	}

	/**
	 * Examine Redis: five round trips or, in a cluster, four a primary and one. What is
	 * found is logged, each finding once as long as it lasts.
	 * @return the findings, at most one a check
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public List<Finding> examine() {
		return examine((check) -> true);
	}

	/**
	 * Examine Redis while the application starts. A busy machine makes answers slow then,
	 * so that is not told, unless it is a reason not to start.
	 */
	List<Finding> examineAtStart() {
		return examine((check) -> check != Check.ROUND_TRIP || severity(check) == Severity.FAIL);
	}

	private List<Finding> examine(Predicate<Check> told) {
		List<ServerFacts> facts = this.probe.facts();
		List<Finding> findings = judge(facts);
		if (isOn(Check.PERMISSIONS)) {
			permissions(this.probe.denials(this.worker.getAsBoolean(), facts))
				.map((verdict) -> finding(Check.PERMISSIONS, verdict))
				.ifPresent(findings::add);
		}
		findings.removeIf((finding) -> !told.test(finding.check()));
		this.log.write(findings);
		return findings;
	}

	List<Finding> judge(List<ServerFacts> facts) {
		List<Finding> findings = new ArrayList<>();
		for (Check check : Check.values()) {
			Function<ServerFacts, Optional<Verdict>> judge = JUDGES.get(check);
			if (isOn(check) && judge != null) {
				facts.stream()
					.flatMap((server) -> judge.apply(server).map((verdict) -> at(server.node(), verdict)).stream())
					.reduce(Doctor::both)
					.map((verdict) -> finding(check, verdict))
					.ifPresent(findings::add);
			}
		}
		if (isOn(Check.REPLICA_READS)) {
			replicaReads().map((verdict) -> finding(Check.REPLICA_READS, verdict)).ifPresent(findings::add);
		}
		return findings;
	}

	private Optional<Verdict> replicaReads() {
		return this.probe.readsReplicas() ? Verdict.of(
				"The application reads from replicas ('spring.data.redis.lettuce.read-from'). This does not apply to jobs, whose connections always talk to the primary: a replica may lag behind.",
				"There is nothing to do.") : Optional.empty();
	}

	static Optional<Verdict> permissions(Denials denials) {
		if (denials.isEmpty()) {
			return Optional.empty();
		}
		String what = Stream
			.of(denials.commands().isEmpty() ? null
					: "run " + String.join(", ", denials.commands()).toUpperCase(Locale.ROOT),
					denials.keys().isEmpty() ? null : "use the keys " + denials.keys().substring(1))
			.filter(Objects::nonNull)
			.reduce((first, second) -> first + " or " + second)
			.orElse("");
		return Verdict.of(
				"The user of Redis may not %s. Jobs fail where they need it, and a script may stop half-way."
					.formatted(what),
				"Type 'ACL SETUSER <user> %s'. All that jobs need is '%s', see %s.".formatted(denials.missing(),
						denials.rule(), DOCUMENT));
	}

	/**
	 * Look whether Redis has lost data since this was called last.
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	void lookForLosses() {
		this.losses.look();
	}

	/**
	 * Return what Redis has lost, as far as it was found without workers.
	 * @return queues and what was lost of them, usually none
	 */
	public Map<String, String> dataLosses() {
		return this.losses.losses();
	}

	/**
	 * Return whether this application runs jobs, and so hears of lost data at once.
	 */
	boolean runsJobs() {
		return this.worker.getAsBoolean();
	}

	String redis() {
		return this.probe.queues().redis();
	}

	boolean refusesStart() {
		return this.severities.containsValue(Severity.FAIL);
	}

	boolean isOff() {
		return this.severities.values().stream().allMatch(Severity.OFF::equals);
	}

	private boolean isOn(Check check) {
		return severity(check) != Severity.OFF;
	}

	private Severity severity(Check check) {
		return this.severities.getOrDefault(check, Severity.OFF);
	}

	private Finding finding(Check check, Verdict verdict) {
		Severity set = severity(check);
		Severity severity = (set.compareTo(verdict.atMost()) > 0) ? verdict.atMost() : set;
		return new Finding(check, severity, verdict.problem(), verdict.action());
	}

	private static Verdict at(String node, Verdict verdict) {
		return node.isEmpty() ? verdict
				: new Verdict(verdict.atMost(), node + ": " + verdict.problem(), verdict.action());
	}

	private static Verdict both(Verdict first, Verdict second) {
		Verdict worse = (second.atMost().compareTo(first.atMost()) > 0) ? second : first;
		return new Verdict(worse.atMost(), first.problem() + " " + second.problem(), worse.action());
	}

}

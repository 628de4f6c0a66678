package io.github.steadyjobs.benchmarks.chaos;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.audit.AuditReport;
import io.github.steadyjobs.audit.JobAudit;
import io.github.steadyjobs.audit.Violation;
import io.github.steadyjobs.audit.ViolationKind;

/**
 * Audits continuously, because a violation counts even if it lasts only a moment.
 */
final class Auditor {

	private static final long INTERVAL_MILLIS = 1000;

	private final JobAudit audit;

	private final Incidents incidents;

	private final Set<Violation> violations = ConcurrentHashMap.newKeySet();

	/**
	 * Kinds of violations that may exist for a while after Redis has forgotten something,
	 * until they are repaired.
	 */
	private final Set<ViolationKind> repaired;

	Auditor(JobAudit audit, Incidents incidents, Set<Fault> faults) {
		this.audit = audit;
		this.incidents = incidents;
		this.repaired = faults.contains(Fault.OLDER_DATA) ? EnumSet.of(ViolationKind.NOT_HELD)
				: EnumSet.noneOf(ViolationKind.class);
	}

	/**
	 * Start to audit repeatedly, until the returned task is run.
	 * @return a task that ends the audits
	 */
	Runnable start() {
		Thread thread = new Thread(this::runUntilInterrupted, "chaos-audit");
		thread.setDaemon(true);
		thread.start();
		return thread::interrupt;
	}

	private void runUntilInterrupted() {
		try {
			while (true) {
				Thread.sleep(INTERVAL_MILLIS);
				try {
					run(this.repaired);
				}
				catch (JobStoreException ex) {
					// The server is unavailable, which is part of the plan.
				}
			}
		}
		catch (InterruptedException ex) {
			// The audits have been stopped.
		}
	}

	/**
	 * Audit once, after everything has been repaired.
	 */
	Findings run() {
		return run(Set.of());
	}

	private Findings run(Set<ViolationKind> ignored) {
		AuditReport report = this.audit.run();
		for (Violation violation : report.violations()) {
			if (!ignored.contains(violation.kind()) && this.violations.add(violation)) {
				this.incidents.say("found: %s", violation);
			}
		}
		return findings();
	}

	/**
	 * Return the findings so far.
	 */
	Findings findings() {
		long inTwoPlaces = this.violations.stream()
			.filter((violation) -> violation.kind() == ViolationKind.SEVERAL_PLACES)
			.map(Violation::id)
			.distinct()
			.count();
		return new Findings((int) inTwoPlaces, this.violations.size(), 0);
	}

	/**
	 * The findings of audits.
	 *
	 * @param inTwoPlaces number of jobs that were in more than one place
	 * @param violations total number of violations, including jobs in two places
	 * @param locksLeft number of remaining locks whose jobs have all ended
	 */
	record Findings(int inTwoPlaces, int violations, int locksLeft) {

		Findings withLocks(int left) {
			return new Findings(this.inTwoPlaces, this.violations, left);
		}

	}

}

package io.github.steadyjobs.audit;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.activity.OperatorChange;
import io.github.steadyjobs.redis.KeySpace;
import io.github.steadyjobs.redis.ProcessStore;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.WrongType;

import org.springframework.util.Assert;

/**
 * Checks a live system: every job must be in exactly one place and have a payload, every
 * lock must belong to a job, and every key must hold a valid value. Repairs violations on
 * request.
 * <p>
 * Jobs that merely move are not reported, so an audit may run while jobs are enqueued and
 * run at full speed. An audit runs many short scripts one after another and takes about
 * 10 seconds for a million jobs. It needs 20 to 40 bytes of heap per waiting job, for at
 * most two million jobs at a time. It finds a queue only if a job has been pushed to that
 * queue; keys of other queues are not found. Payloads are not parsed, because a worker
 * moves an invalid payload to the dead set.
 * <p>
 * Thread safe. Any number of processes may audit and repair at the same time.
 */
public final class JobAudit {

	private final AuditStore store;

	private final ProcessStore processes;

	private final JobRepair repair;

	private final OperatorChange.Listener activity;

	/** Create an audit. */
	public JobAudit(RedisConnections connections, String prefix) {
		this(connections, prefix, OperatorChange.Listener.LOG);
	}

	/** Create an audit. The listener is notified of repairs. */
	public JobAudit(RedisConnections connections, String prefix, OperatorChange.Listener activity) {
		this.store = new AuditStore(connections, prefix);
		this.processes = new ProcessStore(connections, prefix);
		this.repair = new JobRepair(this.store, Clock.systemUTC());
		this.activity = activity;
	}

	/**
	 * Examine all queues, and the keys that belong to no queue. Changes nothing.
	 * @throws JobStoreException if Redis refused a request, is not reachable or did not
	 * answer
	 */
	public AuditReport run() {
		AuditReport.Draft findings = new AuditReport.Draft();
		List<WrongType> wrong = this.store.wrongTypesOutsideOfQueues();
		wrong.forEach(findings::add);
		HeldJobs held = held();
		for (String queue : queues(wrong)) {
			if (KeySpace.isQueue(queue)) {
				new QueueAudit(this.store, queue, held, findings).run();
			}
			else {
				findings.add(new Violation("", ViolationKind.FOREIGN_QUEUE, queue, "queues", ""));
			}
		}
		return findings.report();
	}

	/**
	 * Examine one queue, with all its shards if it has ordered jobs. Changes nothing.
	 * @throws IllegalArgumentException if the name is not a valid queue name
	 * @throws JobStoreException if Redis refused a request, is not reachable or did not
	 * answer
	 */
	public AuditReport run(String queue) {
		Assert.notNull(queue, "'queue' must not be null; leave it out to look at all queues");
		AuditReport.Draft findings = new AuditReport.Draft();
		List<WrongType> wrong = this.store.wrongTypesOutsideOfQueues();
		wrong.stream().filter(WrongType::holdsQueueNames).forEach(findings::add);
		HeldJobs held = held();
		Stream<String> shards = queues(wrong).stream()
			.filter((name) -> KeySpace.isQueue(name) && QueueRef.queueOf(name).equals(queue));
		Stream.concat(Stream.of(queue), shards)
			.distinct()
			.forEach((name) -> new QueueAudit(this.store, name, held, findings).run());
		return findings.report();
	}

	/**
	 * Return the names of all queues and shards, or none if the key that contains the
	 * names has the wrong type.
	 */
	private List<String> queues(List<WrongType> wrong) {
		return wrong.stream().anyMatch(WrongType::holdsQueueNames) ? List.of() : this.store.queues();
	}

	private HeldJobs held() {
		return new HeldJobs(this.processes.processes());
	}

	/**
	 * Repair the listed violations that still exist. {@link ViolationKind} describes the
	 * repair of each kind. Payloads are never deleted. Run another audit afterwards,
	 * because a report may list fewer violations than it counts, and because the contents
	 * of a key that had the wrong type can be examined only then.
	 * @param report the report of an audit
	 * @return the violations that were repaired, and those that were not
	 * @throws JobStoreException if Redis refused a request, is not reachable or did not
	 * answer; completed repairs remain, and it is safe to repeat the call
	 */
	public RepairReport repair(AuditReport report) {
		Assert.notNull(report, "'report' must not be null; pass what run() returned");
		List<Violation> repaired = new ArrayList<>();
		try {
			return this.repair.run(report.violations(), repaired);
		}
		finally {
			if (!repaired.isEmpty()) {
				report(repaired);
			}
		}
	}

	private void report(List<Violation> repaired) {
		String queues = among(repaired, Violation::queue);
		String kinds = among(repaired, (violation) -> violation.kind().name());
		this.activity.changed(
				OperatorChange
					.of("repair", "An audit has repaired %d violations: %s".formatted(repaired.size(), kinds), "queue",
							queues.isEmpty() ? null : queues, "kinds", kinds)
					.count(repaired.size()));
	}

	private static String among(List<Violation> violations, Function<Violation, String> part) {
		return violations.stream()
			.map(part)
			.filter((text) -> !text.isEmpty())
			.distinct()
			.sorted()
			.collect(Collectors.joining(", "));
	}

}

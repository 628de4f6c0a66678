package io.github.steadyjobs.audit;

import java.time.Clock;
import java.util.List;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.KeySpace;
import io.github.steadyjobs.redis.ProcessStore;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.WrongType;

import org.springframework.util.Assert;

/**
 * Checks on a live system that every job is in exactly one place and has a payload, that
 * locks belong to jobs, and that all keys hold what they should. Repairs violations when
 * asked to.
 * <p>
 * Jobs that merely move are not reported: an audit may run while jobs are enqueued and
 * worked on at full speed. It sends many short scripts one after the other, so it takes a
 * while: about 10 seconds for a million jobs. It needs 20 to 40 bytes of heap per waiting
 * job, for at most two million jobs at a time. A queue is known from its first push on;
 * keys of a queue that never had one are not found. Payloads are not read: a worker
 * buries any that are not jobs.
 * <p>
 * Thread safe. Any number of processes may audit and repair at once.
 */
public final class JobAudit {

	private final AuditStore store;

	private final ProcessStore processes;

	private final JobRepair repair;

	/** Create an audit. */
	public JobAudit(RedisConnections connections, String prefix) {
		this.store = new AuditStore(connections, prefix);
		this.processes = new ProcessStore(connections, prefix);
		this.repair = new JobRepair(this.store, Clock.systemUTC());
	}

	/**
	 * Examine all queues and the keys outside of them. Changes nothing.
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public AuditReport run() {
		AuditReport.Draft findings = new AuditReport.Draft();
		List<WrongType> wrong = this.store.wrongTypesOutsideOfQueues();
		wrong.forEach(findings::add);
		boolean unreadable = wrong.stream().anyMatch((key) -> key.key().endsWith(":queues"));
		HeldJobs held = held();
		for (String queue : unreadable ? List.<String>of() : this.store.queues()) {
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
	 * Examine one queue. Changes nothing.
	 * @throws IllegalArgumentException if no queue can have that name
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public AuditReport run(String queue) {
		Assert.notNull(queue, "'queue' must not be null; leave it out to look at all queues");
		AuditReport.Draft findings = new AuditReport.Draft();
		new QueueAudit(this.store, queue, held(), findings).run();
		return findings.report();
	}

	private HeldJobs held() {
		return new HeldJobs(this.processes.processes());
	}

	/**
	 * Repair the listed violations that still exist. {@link ViolationKind} says what is
	 * done about each kind. No payload is deleted. Audit again afterwards: a report may
	 * list less than it counts, and the contents of a key of a wrong type show up only
	 * then.
	 * @param report what an audit has found
	 * @return what was repaired
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer;
	 * what was already repaired stays so, and repairing again is harmless
	 */
	public RepairReport repair(AuditReport report) {
		Assert.notNull(report, "'report' must not be null; pass what run() returned");
		return this.repair.run(report.violations());
	}

}

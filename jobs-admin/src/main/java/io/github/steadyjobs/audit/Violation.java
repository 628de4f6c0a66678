package io.github.steadyjobs.audit;

/**
 * A piece of data in Redis that breaks a rule.
 *
 * @param queue the name of the queue; empty if the data belongs to no queue
 * @param kind the rule that is broken
 * @param id the id of the job, with one character per byte; for values that belong to no
 * job, the field or member, such as the digest of a lock; for queues with an invalid
 * name, that name; empty for whole keys
 * @param where the last part of the key or keys, such as "ready"; for a wrong type, the
 * whole key
 * @param found the type, token or value that was found there; empty if the place alone
 * describes the problem
 */
public record Violation(String queue, ViolationKind kind, String id, String where, String found) {

	/** Return whether {@link JobAudit#repair} repairs this violation. */
	public boolean isRepaired() {
		return this.kind.remedy().isEmpty();
	}

}

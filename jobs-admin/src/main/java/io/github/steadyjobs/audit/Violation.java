package io.github.steadyjobs.audit;

/**
 * Something in Redis that breaks a rule.
 *
 * @param queue the queue, empty if it belongs to none
 * @param kind which rule
 * @param id the id of the job, with one character per byte; for values that belong to no
 * job, the field or member, such as the digest of a lock; for foreign queues, the name;
 * empty for whole keys
 * @param where the last part of the key or keys, such as "ready"; for a wrong type the
 * whole key
 * @param found what was found there: the type, token or value; empty where the place says
 * it all
 */
public record Violation(String queue, ViolationKind kind, String id, String where, String found) {

	/** Return whether {@link JobAudit#repair} fixes it. */
	public boolean isRepaired() {
		return this.kind.remedy().isEmpty();
	}

}

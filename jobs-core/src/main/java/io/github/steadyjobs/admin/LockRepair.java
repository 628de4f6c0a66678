package io.github.steadyjobs.admin;

import io.github.steadyjobs.redis.AuditStore;
import io.github.steadyjobs.redis.QueuePart;

/**
 * Ends what is kept for locks and would never end by itself. Thread safe.
 */
final class LockRepair {

	private final AuditStore store;

	LockRepair(AuditStore store) {
		this.store = store;
	}

	static boolean heals(Violation violation) {
		return switch (violation.kind()) {
			case LOCK_WITHOUT_JOB, LOST_DUPLICATE, WAITS_FOR_NOBODY -> true;
			default -> false;
		};
	}

	boolean run(Violation violation) {
		return this.store.heal(violation.queue(), QueuePart.of(violation.where()), violation.id(), violation.found());
	}

}

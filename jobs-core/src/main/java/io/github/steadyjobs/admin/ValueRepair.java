package io.github.steadyjobs.admin;

import io.github.steadyjobs.redis.AuditPage;
import io.github.steadyjobs.redis.AuditStore;
import io.github.steadyjobs.redis.JobState;
import io.github.steadyjobs.redis.Mending;
import io.github.steadyjobs.redis.QueuePart;

/**
 * Repairs single values, if they are still as they were found. Thread safe.
 */
final class ValueRepair {

	private final AuditStore store;

	ValueRepair(AuditStore store) {
		this.store = store;
	}

	static boolean mends(Violation violation) {
		return switch (violation.kind()) {
			case BAD_VALUE, FOREIGN_QUEUE -> true;
			case LEFTOVER -> violation.where().equals(QueuePart.CLAIMS.text());
			default -> false;
		};
	}

	boolean run(Violation violation) {
		if (violation.kind() == ViolationKind.FOREIGN_QUEUE) {
			return this.store.forget(violation.id());
		}
		QueuePart part = QueuePart.of(violation.where());
		return this.store.mend(violation.queue(), part, mending(violation, part), violation.id(), violation.found());
	}

	private static Mending mending(Violation violation, QueuePart part) {
		if (violation.kind() == ViolationKind.LEFTOVER) {
			return Mending.UNCLAIM;
		}
		AuditPage.Entry entry = new AuditPage.Entry(violation.id(), violation.found(), new JobState(""));
		return ValueRules.mending(part, entry).orElse(Mending.DROP);
	}

}

package io.github.steadyjobs.admin;

import java.time.Clock;
import java.util.List;
import java.util.Optional;

import io.github.steadyjobs.redis.AuditPage;
import io.github.steadyjobs.redis.AuditStore;
import io.github.steadyjobs.redis.QueuePart;
import io.github.steadyjobs.redis.WrongType;

/**
 * Renames keys away that hold a value of a wrong type. Thread safe.
 */
final class KeyRepair {

	private static final int PAGE = 100;

	private final AuditStore store;

	private final Clock clock;

	KeyRepair(AuditStore store, Clock clock) {
		this.store = store;
		this.clock = clock;
	}

	static boolean isReady(Violation violation) {
		return !violation.queue().isEmpty() && violation.where().endsWith("}:" + QueuePart.READY.text());
	}

	boolean run(Violation violation) {
		Optional<WrongType> wrong = wrongTypes(violation.queue()).stream()
			.filter((key) -> key.key().equals(violation.where()))
			.findFirst();
		if (wrong.isPresent() && isReady(violation)) {
			bringBack(violation.queue());
		}
		return wrong.isPresent() && this.store.quarantine(wrong.get(), this.clock.millis());
	}

	private List<WrongType> wrongTypes(String queue) {
		return queue.isEmpty() ? this.store.wrongTypesOutsideOfQueues() : this.store.wrongTypes(queue);
	}

	/**
	 * Bring back the jobs that were ready. As long as nobody can use the list, it is
	 * known without a search which ones they were, and there may be a million.
	 */
	private void bringBack(String queue) {
		String cursor = "0";
		do {
			AuditPage page = this.store.page(queue, QueuePart.PAYLOADS, cursor, PAGE);
			List<String> lost = page.entries()
				.stream()
				.filter((entry) -> Verdict.belongsInList(entry.state()))
				.map(AuditPage.Entry::id)
				.distinct()
				.toList();
			int done = 0;
			while (done < lost.size()) {
				done += this.store
					.repair(queue, lost.subList(done, Math.min(lost.size(), done + AuditStore.IDS_AT_ONCE)))
					.size();
			}
			cursor = page.next();
		}
		while (!cursor.equals("0"));
	}

}

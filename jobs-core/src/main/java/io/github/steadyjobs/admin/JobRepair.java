package io.github.steadyjobs.admin;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.redis.AuditStore;

/**
 * Repairs violations. Every step looks again before it writes. Thread safe.
 */
final class JobRepair {

	private final AuditStore store;

	private final KeyRepair keys;

	private final ValueRepair values;

	private final LockRepair locks;

	JobRepair(AuditStore store, Clock clock) {
		this.store = store;
		this.keys = new KeyRepair(store, clock);
		this.values = new ValueRepair(store);
		this.locks = new LockRepair(store);
	}

	RepairReport run(List<Violation> violations) {
		Repairs repairs = new Repairs();
		List<Violation> readyKeys = new ArrayList<>();
		List<Violation> otherKeys = new ArrayList<>();
		Map<String, Map<String, Violation>> jobs = new LinkedHashMap<>();
		List<Violation> values = new ArrayList<>();
		List<Violation> locks = new ArrayList<>();
		for (Violation violation : violations) {
			if (violation.kind() == ViolationKind.WRONG_TYPE) {
				(KeyRepair.isReady(violation) ? readyKeys : otherKeys).add(violation);
			}
			else if (ValueRepair.mends(violation)) {
				values.add(violation);
			}
			else if (LockRepair.heals(violation)) {
				locks.add(violation);
			}
			else {
				jobs.computeIfAbsent(violation.queue(), (queue) -> new LinkedHashMap<>())
					.put(violation.id(), violation);
			}
		}
		// Keys first: nothing can be put into one that has a wrong type. But a damaged
		// 'ready' comes last, as its jobs are found without a search until then.
		otherKeys.forEach((violation) -> repairs.add(violation, this.keys.run(violation)));
		values.forEach((violation) -> repairs.add(violation, this.values.run(violation)));
		jobs.forEach((queue, ofQueue) -> repairJobs(queue, List.copyOf(ofQueue.values()), repairs));
		readyKeys.forEach((violation) -> repairs.add(violation, this.keys.run(violation)));
		// After all others, as jobs become ready by this.
		locks.forEach((violation) -> repairs.add(violation, this.locks.run(violation)));
		return repairs.report();
	}

	private void repairJobs(String queue, List<Violation> violations, Repairs repairs) {
		List<String> ids = violations.stream().map(Violation::id).toList();
		int done = 0;
		while (done < ids.size()) {
			List<String> next = ids.subList(done, Math.min(ids.size(), done + AuditStore.IDS_AT_ONCE));
			for (boolean repaired : this.store.repair(queue, next)) {
				repairs.add(violations.get(done), repaired);
				done++;
			}
		}
	}

}

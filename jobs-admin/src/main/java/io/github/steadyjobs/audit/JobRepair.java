package io.github.steadyjobs.audit;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.steadyjobs.redis.QueuePart;
import io.github.steadyjobs.redis.WrongType;

/**
 * Repairs violations. Each step checks the data again before it writes. Thread safe.
 */
final class JobRepair {

	private static final int PAGE = 100;

	private final AuditStore store;

	private final Clock clock;

	JobRepair(AuditStore store, Clock clock) {
		this.store = store;
		this.clock = clock;
	}

	/**
	 * Repair violations.
	 * @param repaired the list to which each repaired violation is added, so that the
	 * caller has the list even if the repair fails
	 */
	RepairReport run(List<Violation> violations, List<Violation> repaired) {
		List<Violation> gone = new ArrayList<>();
		List<Violation> left = violations.stream().filter((violation) -> !violation.isRepaired()).toList();
		// Keys come first, because nothing can be stored in a key that has the wrong
		// type. A damaged 'ready' comes late: until it is renamed, scripts treat it as
		// empty, so Redis need not search it for each job. Locks come last, because
		// repairing them makes jobs ready.
		for (Step step : Step.values()) {
			Map<String, List<Violation>> byQueue = new LinkedHashMap<>();
			violations.stream()
				.filter((violation) -> violation.isRepaired() && Step.of(violation) == step)
				.forEach((violation) -> byQueue.computeIfAbsent(violation.queue(), (queue) -> new ArrayList<>())
					.add(violation));
			byQueue.forEach((queue, ofQueue) -> {
				List<Violation> once = (step == Step.JOBS) ? lastOfEachId(ofQueue) : ofQueue;
				List<Boolean> done = switch (step) {
					case KEYS, READY -> once.stream().map(this::repairKey).toList();
					case JOBS -> repairJobs(queue, once.stream().map(Violation::id).toList());
					case LOCKS -> once.stream().map(this::heal).toList();
				};
				for (int i = 0; i < once.size(); i++) {
					(done.get(i) ? repaired : gone).add(once.get(i));
				}
			});
		}
		return new RepairReport(repaired, gone, left);
	}

	private boolean heal(Violation violation) {
		return this.store.heal(violation.queue(), QueuePart.of(violation.where()), violation.id(), violation.found());
	}

	private static List<Violation> lastOfEachId(List<Violation> violations) {
		Map<String, Violation> byId = new LinkedHashMap<>();
		violations.forEach((violation) -> byId.put(violation.id(), violation));
		return List.copyOf(byId.values());
	}

	private List<Boolean> repairJobs(String queue, List<String> ids) {
		List<Boolean> repaired = new ArrayList<>();
		while (repaired.size() < ids.size()) {
			// The answer may cover only some of the ids.
			int end = Math.min(ids.size(), repaired.size() + AuditStore.IDS_AT_ONCE);
			for (boolean one : this.store.repair(queue, ids.subList(repaired.size(), end))) {
				repaired.add(one);
			}
		}
		return repaired;
	}

	/** Rename a key whose value has the wrong type. */
	private boolean repairKey(Violation violation) {
		Optional<WrongType> wrong = wrongTypes(violation.queue()).stream()
			.filter((key) -> key.key().equals(violation.where()))
			.findFirst();
		if (wrong.isPresent() && Step.isReady(violation)) {
			bringBack(violation.queue());
		}
		return wrong.isPresent() && this.store.quarantine(wrong.get(), this.clock.millis());
	}

	private List<WrongType> wrongTypes(String queue) {
		return queue.isEmpty() ? this.store.wrongTypesOutsideOfQueues() : this.store.wrongTypes(queue);
	}

	/**
	 * Bring back the jobs that were ready. There may be a million such jobs. They are
	 * brought back before the key is renamed, while scripts treat the damaged key as
	 * empty. Afterwards, a new list would grow, and Redis would search it for each job.
	 */
	private void bringBack(String queue) {
		String cursor = "0";
		do {
			AuditStore.Page page = this.store.page(queue, QueuePart.PAYLOADS, cursor, PAGE);
			repairJobs(queue,
					page.entries()
						.stream()
						.filter((entry) -> AuditRules.belongsInList(entry))
						.map(AuditStore.Entry::id)
						.distinct()
						.toList());
			cursor = page.next();
		}
		while (!cursor.equals("0"));
	}

	/** The steps of a repair, in order. */
	private enum Step {

		KEYS, JOBS, READY, LOCKS;

		static Step of(Violation violation) {
			return switch (violation.kind()) {
				case WRONG_TYPE -> isReady(violation) ? READY : KEYS;
				case LOCK_WITHOUT_JOB, LOST_DUPLICATE, LOST_PAYLOADS, WAITS_FOR_NOBODY -> LOCKS;
				default -> JOBS;
			};
		}

		static boolean isReady(Violation violation) {
			return !violation.queue().isEmpty() && violation.where().endsWith("}:" + QueuePart.READY.text());
		}

	}

}

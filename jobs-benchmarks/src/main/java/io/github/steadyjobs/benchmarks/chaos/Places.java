package io.github.steadyjobs.benchmarks.chaos;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.github.steadyjobs.audit.AuditStore;
import io.github.steadyjobs.redis.QueuePart;

/**
 * The jobs that are in Redis.
 *
 * @param live ids of jobs that are waiting, running or scheduled; a key of ordered jobs
 * counts as one job
 * @param dead ids of jobs that are dead
 * @param locks the remaining locks; empty once all jobs have ended
 */
record Places(Set<String> live, Set<String> dead, Set<String> locks) {

	private static final int PAGE = 500;

	private static final Set<QueuePart> PROCESSES = EnumSet.of(QueuePart.BEATS, QueuePart.CLAIMS);

	private static final Set<QueuePart> LOCKS = EnumSet.of(QueuePart.LOCKS, QueuePart.LOCKOF, QueuePart.AGAIN,
			QueuePart.MUTEXES);

	private static final Set<QueuePart> TELLING = EnumSet.of(QueuePart.READY, QueuePart.SUSPECTS, QueuePart.SCHEDULED,
			QueuePart.RETRIES, QueuePart.WORKING, QueuePart.PARKED, QueuePart.CRASHES, QueuePart.BEATS,
			QueuePart.CLAIMS);

	/**
	 * Read all places. No jobs may be enqueued while this method runs.
	 */
	static Places read(AuditStore store) {
		Places places = new Places(new HashSet<>(), new HashSet<>(), new HashSet<>());
		for (String queue : Order.STORED) {
			// The payload of a job exists wherever the job is, even while the job moves
			// from place to place.
			read(store, queue, QueuePart.PAYLOADS, places.live);
			read(store, queue, QueuePart.DEAD, places.dead);
			for (QueuePart part : LOCKS) {
				read(store, queue, part, places.locks);
			}
		}
		places.live.removeAll(places.dead);
		return places;
	}

	private static void read(AuditStore store, String queue, QueuePart part, Set<String> ids) {
		String cursor = "0";
		do {
			AuditStore.Page page = store.page(queue, part, cursor, PAGE);
			page.entries().forEach((entry) -> ids.add(entry.id()));
			cursor = page.next();
		}
		while (!cursor.equals("0"));
	}

	/**
	 * Describe where the live jobs are and which processes count as alive, to help
	 * investigate why jobs are waiting.
	 */
	List<String> details(AuditStore store) {
		List<String> details = new ArrayList<>();
		for (String queue : Order.STORED) {
			for (QueuePart part : TELLING) {
				store.page(queue, part, "0", PAGE)
					.entries()
					.stream()
					.filter((entry) -> PROCESSES.contains(part) || this.live.contains(entry.id()))
					.forEach((entry) -> details
						.add("%s %s: %s %s".formatted(queue, part.text(), entry.id(), entry.value())));
			}
		}
		return details;
	}

	boolean isSettled() {
		return this.live.isEmpty();
	}

}

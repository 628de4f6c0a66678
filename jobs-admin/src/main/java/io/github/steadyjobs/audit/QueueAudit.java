package io.github.steadyjobs.audit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.steadyjobs.audit.AuditStore.Entry;
import io.github.steadyjobs.redis.QueuePart;
import io.github.steadyjobs.redis.WrongType;

/**
 * Examines one queue in several passes, each made of bounded steps: first the state of
 * the queue, then the places that can be searched by id, then payloads and lists, and
 * finally the entries for locks and ordered jobs that nothing else would ever remove. Not
 * thread safe.
 */
final class QueueAudit {

	private static final int PAGE = 500;

	/** Page size for entries with payloads, which may be large and which Redis reads. */
	private static final int PAGE_OF_PAYLOADS = 20;

	private static final List<QueuePart> OF_QUEUE = List.of(QueuePart.META, QueuePart.BEATS, QueuePart.CLAIMS,
			QueuePart.CALLS, QueuePart.STATS);

	private static final List<QueuePart> PLACES = List.of(QueuePart.WORKING, QueuePart.SCHEDULED, QueuePart.RETRIES,
			QueuePart.DEAD, QueuePart.PARKED);

	private static final List<QueuePart> NOTES = List.of(QueuePart.CRASHES, QueuePart.SINCE);

	private static final List<QueuePart> OF_LOCKS = List.of(QueuePart.LOCKS, QueuePart.LOCKOF, QueuePart.MUTEXES,
			QueuePart.WINDOWS);

	private static final Pattern UNTIL_EXECUTED = Pattern.compile("[ea][0-9a-f]+ (\\S+).*");

	private final AuditStore store;

	private final String queue;

	private final HeldJobs held;

	private final AuditReport.Draft report;

	QueueAudit(AuditStore store, String queue, HeldJobs held, AuditReport.Draft report) {
		this.store = store;
		this.queue = queue;
		this.held = held;
		this.report = report;
	}

	void run() {
		List<WrongType> wrong = this.store.wrongTypes(this.queue);
		wrong.forEach(this.report::add);
		OF_QUEUE.forEach((part) -> look(part, PAGE, (entry) -> {
			if (entry.belongsToNobody()) {
				add(ViolationKind.LEFTOVER, part, entry);
			}
		}));
		if (wrong.stream().noneMatch((key) -> key.key().endsWith(":" + QueuePart.PAYLOADS.text()))) {
			// If the hash of payloads has the wrong type, every id would be reported as
			// an id without payload, and a repair would remove ids that are needed when
			// the hash is restored.
			PLACES.forEach(this::jobs);
			new PlacesAudit(this.store, this.queue, this.report).run();
			// These come last, so that worse problems of an id are reported first.
			NOTES.forEach(this::jobs);
			OF_LOCKS.forEach((part) -> orphans(part, PAGE, ViolationKind.LOCK_WITHOUT_JOB));
			duplicates();
			orphans(QueuePart.GATHERED, PAGE_OF_PAYLOADS, ViolationKind.LOST_PAYLOADS);
			orphans(QueuePart.BACKLOGGED, PAGE_OF_PAYLOADS, ViolationKind.LOST_PAYLOADS);
			orphans(QueuePart.BACKLOG, PAGE, ViolationKind.LOST_PAYLOADS);
		}
	}

	private void orphans(QueuePart part, int size, ViolationKind kind) {
		look(part, size, (entry) -> {
			if (entry.isOrphan()) {
				add(kind, part, entry);
			}
		});
	}

	private void jobs(QueuePart part) {
		look(part, PAGE,
				(entry) -> AuditRules.judge(this.queue, entry, false)
					.or(() -> AuditRules.judgeParked(this.queue, entry))
					.or(() -> (part == QueuePart.WORKING) ? this.held.judge(this.queue, entry) : Optional.empty())
					.ifPresent(this.report::add));
	}

	/**
	 * A duplicate without a lock may still belong to a job that has lost its lock. When
	 * that job ends, the duplicate becomes a job. Redis does not know which job this is,
	 * so all candidates are examined, and then the duplicate is examined again.
	 */
	private void duplicates() {
		Map<String, String> lost = new HashMap<>();
		look(QueuePart.AGAIN, PAGE_OF_PAYLOADS, (entry) -> {
			if (entry.isOrphan() && lost.size() < AuditReport.MOST_LISTED) {
				lost.put(entry.id(), entry.value());
			}
		});
		if (lost.isEmpty()) {
			return;
		}
		this.store.eachEntry(this.queue, QueuePart.LOCKOF, PAGE, (entry) -> {
			Matcher lock = UNTIL_EXECUTED.matcher(entry.value());
			if (!entry.isOrphan() && lock.matches()) {
				lost.remove(lock.group(1));
			}
		});
		List<Entry> still = new ArrayList<>();
		if (!lost.isEmpty()) {
			this.store.eachEntry(this.queue, QueuePart.AGAIN, PAGE_OF_PAYLOADS, (entry) -> {
				if (entry.isOrphan() && entry.value().equals(lost.get(entry.id()))) {
					still.add(entry);
				}
			});
		}
		still.forEach((entry) -> add(ViolationKind.LOST_DUPLICATE, QueuePart.AGAIN, entry));
	}

	/**
	 * Examine the entries of a key.
	 * @param good receives the entries whose value is valid
	 */
	private void look(QueuePart part, int size, Consumer<Entry> good) {
		this.store.eachEntry(this.queue, part, size, (entry) -> {
			this.report.looked(1);
			if (AuditRules.isBad(part, entry.id(), entry.value())) {
				add(ViolationKind.BAD_VALUE, part, entry);
			}
			else {
				good.accept(entry);
			}
		});
	}

	private void add(ViolationKind kind, QueuePart part, Entry entry) {
		this.report.add(new Violation(this.queue, kind, entry.id(), part.text(), entry.value()));
	}

}

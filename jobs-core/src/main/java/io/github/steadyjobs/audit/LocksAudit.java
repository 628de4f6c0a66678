package io.github.steadyjobs.audit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.steadyjobs.redis.AuditPage;
import io.github.steadyjobs.redis.AuditStore;
import io.github.steadyjobs.redis.QueuePart;

/**
 * Finds what is kept for locks and would never end by itself. Not thread safe.
 */
final class LocksAudit {

	private static final int PAGE = 500;

	/**
	 * Smaller, as Redis reads the payloads of duplicates, which may be large.
	 */
	private static final int PAGE_OF_PAYLOADS = 20;

	private static final Pattern UNTIL_EXECUTED = Pattern.compile("[ea][0-9a-f]+ (\\S+).*");

	private final AuditStore store;

	private final String queue;

	private final Findings findings;

	LocksAudit(AuditStore store, String queue, Findings findings) {
		this.store = store;
		this.queue = queue;
		this.findings = findings;
	}

	void run() {
		for (QueuePart part : List.of(QueuePart.LOCKS, QueuePart.LOCKOF, QueuePart.MUTEXES, QueuePart.WINDOWS)) {
			pages(part, PAGE, (entry) -> {
				if (entry.state().isOrphan()) {
					add(ViolationKind.LOCK_WITHOUT_JOB, part, entry);
				}
			});
		}
		duplicates();
	}

	/**
	 * A duplicate that no lock stands for may still have a job that makes it one when it
	 * ends, and had its lock taken away. Which one that is nobody can ask Redis for, so
	 * all that are to do so are looked at, and then the duplicate again.
	 */
	private void duplicates() {
		Map<String, String> lost = new HashMap<>();
		pages(QueuePart.AGAIN, PAGE_OF_PAYLOADS, (entry) -> {
			if (entry.state().isOrphan() && lost.size() < AuditReport.MOST_LISTED) {
				lost.put(entry.id(), entry.value());
			}
		});
		if (lost.isEmpty()) {
			return;
		}
		eachOf(QueuePart.LOCKOF, PAGE, (entry) -> {
			Matcher lock = UNTIL_EXECUTED.matcher(entry.value());
			if (!entry.state().isOrphan() && lock.matches()) {
				lost.remove(lock.group(1));
			}
		});
		List<AuditPage.Entry> still = new ArrayList<>();
		if (!lost.isEmpty()) {
			eachOf(QueuePart.AGAIN, PAGE_OF_PAYLOADS, (entry) -> {
				if (entry.state().isOrphan() && entry.value().equals(lost.get(entry.id()))) {
					still.add(entry);
				}
			});
		}
		still.forEach((entry) -> add(ViolationKind.LOST_DUPLICATE, QueuePart.AGAIN, entry));
	}

	private void pages(QueuePart part, int size, Consumer<AuditPage.Entry> good) {
		eachOf(part, size, (entry) -> {
			this.findings.looked(1);
			if (ValueRules.mending(part, entry).isPresent()) {
				add(ViolationKind.BAD_VALUE, part, entry);
			}
			else {
				good.accept(entry);
			}
		});
	}

	private void eachOf(QueuePart part, int size, Consumer<AuditPage.Entry> consumer) {
		String cursor = "0";
		do {
			AuditPage page = this.store.page(this.queue, part, cursor, size);
			page.entries().forEach(consumer);
			cursor = page.next();
		}
		while (!cursor.equals("0"));
	}

	private void add(ViolationKind kind, QueuePart part, AuditPage.Entry entry) {
		this.findings.add(new Violation(this.queue, kind, entry.id(), part.text(), entry.value()));
	}

}

package io.github.steadyjobs.audit;

import java.util.List;

import io.github.steadyjobs.redis.AuditPage;
import io.github.steadyjobs.redis.AuditStore;
import io.github.steadyjobs.redis.QueuePart;
import io.github.steadyjobs.redis.WrongType;

/**
 * Looks at one queue, in passes of bounded steps: at what is kept for the queue, at the
 * places that can be asked for an id, and last at payloads and lists. Not thread safe.
 */
final class QueueAudit {

	private static final int PAGE = 500;

	private static final List<QueuePart> OF_QUEUE = List.of(QueuePart.META, QueuePart.BEATS, QueuePart.CLAIMS,
			QueuePart.CALLS, QueuePart.STATS);

	private static final List<QueuePart> PLACES = List.of(QueuePart.WORKING, QueuePart.SCHEDULED, QueuePart.RETRIES,
			QueuePart.DEAD, QueuePart.PARKED);

	private static final List<QueuePart> NOTES = List.of(QueuePart.CRASHES, QueuePart.SINCE);

	private final AuditStore store;

	private final String queue;

	private final Findings findings;

	private final Verdict verdict;

	QueueAudit(AuditStore store, String queue, Findings findings) {
		this.store = store;
		this.queue = queue;
		this.findings = findings;
		this.verdict = new Verdict(queue);
	}

	void run() {
		List<WrongType> wrong = this.store.wrongTypes(this.queue);
		wrong.forEach(this.findings::add);
		OF_QUEUE.forEach(this::pages);
		if (wrong.stream().noneMatch((key) -> key.key().endsWith(":" + QueuePart.PAYLOADS.text()))) {
			// Without payloads everything else would be an id without payload, and a
			// repair would remove what a restored hash still needs.
			PLACES.forEach(this::pages);
			new PlacesAudit(this.store, this.queue, this.findings).run();
			// Last, as what is worse about an id is said of it then.
			NOTES.forEach(this::pages);
			new LocksAudit(this.store, this.queue, this.findings).run();
		}
	}

	private void pages(QueuePart part) {
		String cursor = "0";
		do {
			AuditPage page = this.store.page(this.queue, part, cursor, PAGE);
			this.findings.looked(page.entries().size());
			for (AuditPage.Entry entry : page.entries()) {
				check(part, entry);
			}
			cursor = page.next();
		}
		while (!cursor.equals("0"));
	}

	private void check(QueuePart part, AuditPage.Entry entry) {
		if (ValueRules.mending(part, entry).isPresent()) {
			this.findings
				.add(new Violation(this.queue, ViolationKind.BAD_VALUE, entry.id(), part.text(), entry.value()));
		}
		else if (!OF_QUEUE.contains(part)) {
			this.verdict.on(entry.id(), entry.state(), false)
				.or(() -> Verdict.onParked(this.queue, entry))
				.ifPresent(this.findings::add);
		}
		else if (entry.state().belongsToNobody()) {
			this.findings
				.add(new Violation(this.queue, ViolationKind.LEFTOVER, entry.id(), part.text(), entry.value()));
		}
	}

}

package io.github.steadyjobs.admin;

import java.util.List;

import io.github.steadyjobs.redis.AuditPage;
import io.github.steadyjobs.redis.AuditStore;
import io.github.steadyjobs.redis.QueuePart;

/**
 * Finds jobs that are in no place, or in a list twice. Payloads come first and lists
 * second: a job that ended between the two is easily told from one that is lost, one that
 * came between them is not. Not thread safe.
 */
final class PlacesAudit {

	private static final int PAGE = 500;

	/**
	 * How many bytes of payloads Redis may touch for a page.
	 */
	private static final long PAGE_BYTES = 1 << 20;

	/**
	 * How many ids are kept in memory at a time.
	 */
	private static final long SLICE = 2_000_000;

	private final AuditStore store;

	private final String queue;

	private final Findings findings;

	private final Verdict verdict;

	PlacesAudit(AuditStore store, String queue, Findings findings) {
		this.store = store;
		this.queue = queue;
		this.findings = findings;
		this.verdict = new Verdict(queue);
	}

	void run() {
		int slices = (int) (this.store.jobs(this.queue) / SLICE) + 1;
		for (int slice = 0; slice < slices; slice++) {
			WaitingIds waiting = new WaitingIds(slice, slices);
			payloads(waiting);
			cancelled(waiting);
			new ListsAudit(this.store, this.queue, this.findings).run(waiting);
		}
	}

	private void payloads(WaitingIds waiting) {
		String cursor = "0";
		int count = 10;
		do {
			AuditPage page = this.store.page(this.queue, QueuePart.PAYLOADS, cursor, count);
			check(page, waiting);
			long bytes = Math.max(1, page.weight() / Math.max(1, page.entries().size()));
			count = (int) Math.max(1, Math.min(PAGE, PAGE_BYTES / bytes));
			cursor = page.next();
		}
		while (!cursor.equals("0"));
	}

	private void cancelled(WaitingIds waiting) {
		String cursor = "0";
		do {
			AuditPage page = this.store.page(this.queue, QueuePart.CANCELLED, cursor, PAGE);
			check(page, waiting);
			cursor = page.next();
		}
		while (!cursor.equals("0"));
	}

	private void check(AuditPage page, WaitingIds waiting) {
		List<AuditPage.Entry> entries = page.entries().stream().filter((entry) -> waiting.accepts(entry.id())).toList();
		this.findings.looked(entries.size());
		for (AuditPage.Entry entry : entries) {
			this.verdict.on(entry.id(), entry.state(), false).ifPresent(this.findings::add);
			if (Verdict.belongsInList(entry.state())) {
				waiting.add(entry.id());
			}
		}
	}

}

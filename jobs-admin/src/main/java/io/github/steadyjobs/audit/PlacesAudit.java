package io.github.steadyjobs.audit;

import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.audit.AuditStore.Entry;
import io.github.steadyjobs.audit.AuditStore.Page;
import io.github.steadyjobs.redis.QueuePart;

/**
 * Finds jobs that are in no place, or are in a list twice. Reads the payloads first and
 * the lists second, because a job that ended in between is easily distinguished from a
 * lost job. In the opposite order, a job that was enqueued in between would look like a
 * lost job. Not thread safe.
 */
final class PlacesAudit {

	private static final int PAGE = 500;

	/** Maximum number of payload bytes that Redis reads for a page. */
	private static final long PAGE_BYTES = 1 << 20;

	/** Maximum number of ids that are kept in memory at a time. */
	private static final long SLICE = 2_000_000;

	private static final int WINDOW = 1000;

	/**
	 * Maximum number of times the lists are read. They are read again only while more
	 * than {@link #MANY} ids are doubtful.
	 */
	private static final int ROUNDS = 3;

	private static final int MANY = 100;

	/**
	 * Maximum number of list elements that are compared in a search for doubtful ids. The
	 * search takes Redis about 2 seconds in total: 10 ms for each million elements.
	 */
	private static final long SEARCHED = 200_000_000;

	private final AuditStore store;

	private final String queue;

	private final AuditReport.Draft report;

	PlacesAudit(AuditStore store, String queue, AuditReport.Draft report) {
		this.store = store;
		this.queue = queue;
		this.report = report;
	}

	void run() {
		int slices = (int) (this.store.jobs(this.queue) / SLICE) + 1;
		for (int slice = 0; slice < slices; slice++) {
			ListedIds ids = new ListedIds(slice, slices);
			payloads(ids);
			this.store.eachEntry(this.queue, QueuePart.CANCELLED, PAGE, (entry) -> check(entry, ids));
			lists(ids);
		}
	}

	private void payloads(ListedIds ids) {
		String cursor = "0";
		int count = 10;
		do {
			Page page = this.store.page(this.queue, QueuePart.PAYLOADS, cursor, count);
			page.entries().forEach((entry) -> check(entry, ids));
			long bytes = Math.max(1, page.weight() / Math.max(1, page.entries().size()));
			count = (int) Math.max(1, Math.min(PAGE, PAGE_BYTES / bytes));
			cursor = page.next();
		}
		while (!cursor.equals("0"));
	}

	private void check(Entry entry, ListedIds ids) {
		if (ids.accepts(entry.id())) {
			this.report.looked(1);
			AuditRules.judge(this.queue, entry, false).ifPresent(this.report::add);
			if (AuditRules.belongsInList(entry)) {
				ids.add(entry.id());
			}
		}
	}

	/** Look for ids in the lists, then search for ids not found or found twice. */
	private void lists(ListedIds ids) {
		List<String> doubtful = doubtful(ids);
		for (int round = 1; round < ROUNDS && doubtful.size() > MANY; round++) {
			// This reading finds jobs that have failed and become ready again since the
			// last reading.
			ListedIds again = new ListedIds(0, 1);
			doubtful.forEach(again::add);
			doubtful = doubtful(again);
		}
		search(doubtful);
	}

	private List<String> doubtful(ListedIds ids) {
		read(QueuePart.SUSPECTS, ids);
		read(QueuePart.READY, ids);
		return stillDoubtful(ids.doubtful());
	}

	private void read(QueuePart list, ListedIds ids) {
		String cursor = "0";
		String frontier = "";
		do {
			Page page = this.store.page(this.queue, list, cursor, WINDOW);
			List<Entry> entries = page.entries();
			// Positions are counted from the end from which jobs are taken. So the more
			// jobs were taken in between, the more this page overlaps the previous one.
			int known = entries.stream().map(Entry::id).toList().indexOf(frontier);
			int fresh = frontier.isEmpty() ? 0 : (known < 0) ? entries.size() : known + 1;
			for (int i = 0; i < entries.size(); i++) {
				Entry entry = entries.get(i);
				AuditRules.judge(this.queue, entry.in(list), false).ifPresent(this.report::add);
				ids.found(entry.id(), i >= fresh);
			}
			this.report.looked(entries.size() - fresh);
			frontier = entries.isEmpty() ? frontier : entries.get(entries.size() - 1).id();
			cursor = page.next();
		}
		while (!cursor.equals("0"));
	}

	/**
	 * Drop the ids of jobs that have since ended or moved. A busy queue has many such
	 * ids, and checking them is cheap.
	 */
	private List<String> stillDoubtful(List<String> ids) {
		List<String> still = new ArrayList<>();
		for (int from = 0; from < ids.size(); from += AuditStore.IDS_AT_ONCE) {
			List<String> next = ids.subList(from, Math.min(ids.size(), from + AuditStore.IDS_AT_ONCE));
			for (Entry entry : this.store.look(this.queue, next).entries()) {
				if (AuditRules.belongsInList(entry)) {
					still.add(entry.id());
				}
			}
		}
		return still;
	}

	private void search(List<String> ids) {
		long left = SEARCHED;
		int done = 0;
		while (done < ids.size() && left > 0) {
			List<String> next = ids.subList(done, Math.min(ids.size(), done + AuditStore.IDS_AT_ONCE));
			Page found = this.store.search(this.queue, next);
			for (Entry entry : found.entries()) {
				AuditRules.judge(this.queue, entry, true).ifPresent(this.report::add);
			}
			done += found.entries().size();
			left -= found.weight();
		}
		this.report.unconfirmed(ids.size() - done);
	}

}

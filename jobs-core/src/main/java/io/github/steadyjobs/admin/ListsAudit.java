package io.github.steadyjobs.admin;

import java.util.List;

import io.github.steadyjobs.redis.AuditPage;
import io.github.steadyjobs.redis.AuditStore;
import io.github.steadyjobs.redis.QueuePart;

/**
 * Looks for ids in the lists of a queue, and searches for those that it did not find, or
 * found twice. Not thread safe.
 */
final class ListsAudit {

	private static final int WINDOW = 1000;

	/**
	 * How often the lists are read at most, and how many doubtful ids make it worth
	 * while.
	 */
	private static final int ROUNDS = 3;

	private static final int MANY = 100;

	/**
	 * How many list elements are compared to search for doubtful ids, which takes Redis
	 * about 2 seconds, in steps of 10 ms for a million elements.
	 */
	private static final long SEARCHED = 200_000_000;

	private final AuditStore store;

	private final String queue;

	private final Findings findings;

	private final Verdict verdict;

	ListsAudit(AuditStore store, String queue, Findings findings) {
		this.store = store;
		this.queue = queue;
		this.findings = findings;
		this.verdict = new Verdict(queue);
	}

	void run(WaitingIds waiting) {
		List<String> doubtful = doubtful(waiting);
		for (int round = 1; round < ROUNDS && doubtful.size() > MANY; round++) {
			// A job that failed and became ready again behind our back is found now.
			WaitingIds again = new WaitingIds(0, 1);
			doubtful.forEach(again::add);
			doubtful = doubtful(again);
		}
		search(doubtful);
	}

	private List<String> doubtful(WaitingIds waiting) {
		read(QueuePart.SUSPECTS, waiting);
		read(QueuePart.READY, waiting);
		return stillDoubtful(waiting.doubtful());
	}

	private void read(QueuePart list, WaitingIds waiting) {
		String cursor = "0";
		String frontier = "";
		do {
			AuditPage page = this.store.page(this.queue, list, cursor, WINDOW);
			List<AuditPage.Entry> entries = page.entries();
			// Pages overlap, and the more so the more jobs were taken meanwhile.
			int fresh = frontier.isEmpty() ? 0 : afterFrontier(frontier, entries);
			for (int i = 0; i < entries.size(); i++) {
				AuditPage.Entry entry = entries.get(i);
				this.verdict.on(entry.id(), entry.state().in(list), false).ifPresent(this.findings::add);
				waiting.found(entry.id(), i >= fresh);
			}
			this.findings.looked(entries.size() - fresh);
			frontier = entries.isEmpty() ? frontier : entries.get(entries.size() - 1).id();
			cursor = page.next();
		}
		while (!cursor.equals("0"));
	}

	private static int afterFrontier(String frontier, List<AuditPage.Entry> entries) {
		for (int i = 0; i < entries.size(); i++) {
			if (entries.get(i).id().equals(frontier)) {
				return i + 1;
			}
		}
		return entries.size();
	}

	/**
	 * Drop the ids that have ended or gone elsewhere since. They are many on a busy
	 * queue, and asking for them is cheap.
	 */
	private List<String> stillDoubtful(List<String> ids) {
		return Batches.of(ids)
			.stream()
			.flatMap((batch) -> this.store.look(this.queue, batch).entries().stream())
			.filter((entry) -> Verdict.belongsInList(entry.state()))
			.map(AuditPage.Entry::id)
			.toList();
	}

	private void search(List<String> ids) {
		long left = SEARCHED;
		int done = 0;
		while (done < ids.size() && left > 0) {
			List<String> next = ids.subList(done, Math.min(ids.size(), done + AuditStore.IDS_AT_ONCE));
			AuditPage found = this.store.search(this.queue, next);
			for (AuditPage.Entry entry : found.entries()) {
				this.verdict.on(entry.id(), entry.state(), true).ifPresent(this.findings::add);
			}
			done += found.entries().size();
			left -= found.weight();
		}
		this.findings.unconfirmed(ids.size() - done);
	}

}

package io.github.steadyjobs.dashboard;

import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.admin.JobLock;
import io.github.steadyjobs.admin.JobLocks;
import io.github.steadyjobs.admin.LockPage;
import io.github.steadyjobs.admin.QueueState;
import org.jspecify.annotations.Nullable;

/**
 * Shows the locks that jobs hold, queue by queue.
 */
final class LocksPage extends Page {

	private static final int SIZE = 50;

	/** Maximum number of reads for a page. Each read covers only one queue. */
	private static final int MOST_QUEUES = 20;

	private final Samples samples;

	private final JobLocks locks;

	LocksPage(Samples samples, JobLocks locks) {
		super(Area.LOCKS);
		this.samples = samples;
		this.locks = locks;
	}

	@Override
	View view(Visit visit) {
		Reading<List<QueueState>> queues = this.samples.queues();
		List<String> names = queues.value().stream().map(QueueState::name).toList();
		String queue = visit.text("queue");
		if (queue != null && !names.contains(queue)) {
			throw RefusedException.notFound("refused.queue", Plain.line(queue)).backTo(Area.LOCKS.address());
		}
		String in = visit.text("in");
		String after = visit.text("after");
		Locks model = read((queue != null) ? List.of(queue) : names, in, after,
				new Locks(names, queue, new ArrayList<>(), null));
		return (after != null) ? new View("locks", Area.LOCKS.title(), model)
				: new View("locks", Area.LOCKS.title(), model, Reading.now(model));
	}

	/**
	 * Read a page of locks.
	 * @param in the queue in which the page begins, {@code null} for the first queue
	 * @param after the position in that queue, {@code null} for its first lock
	 */
	private Locks read(List<String> queues, @Nullable String in, @Nullable String after, Locks locks) {
		int asked = 0;
		for (String queue : queues) {
			if (in != null && queue.compareTo(in) < 0) {
				continue;
			}
			String cursor = (after != null && queue.equals(in)) ? after : LockPage.START;
			do {
				if (locks.found.size() >= SIZE || ++asked > MOST_QUEUES) {
					return locks
						.with(Address.of(Area.LOCKS.page(), "queue", locks.queue, "in", queue, "after", cursor));
				}
				LockPage page = this.locks.page(queue, cursor, SIZE - locks.found.size());
				locks.found.addAll(page.locks());
				cursor = page.next();
			}
			while (!cursor.equals(LockPage.START));
		}
		return locks;
	}

	/**
	 * The data that the page shows.
	 *
	 * @param queues the names of all queues
	 * @param queue the only queue whose locks are shown, {@code null} for all queues
	 * @param found the locks on this page
	 * @param next the address of the next page, {@code null} if this is the last page
	 */
	record Locks(List<String> queues, @Nullable String queue, List<JobLock> found, @Nullable String next) {

		Locks with(String next) {
			return new Locks(this.queues, this.queue, this.found, next);
		}

	}

}

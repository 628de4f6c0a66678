package io.github.steadyjobs.dashboard;

import java.util.Comparator;
import java.util.List;

import io.github.steadyjobs.admin.QueueState;

/**
 * A table of queues.
 *
 * @param rows the rows, ordered by name
 * @param total the number of all queues, including queues that are not in the table
 */
record QueueTable(List<QueueRow> rows, int total) {

	/** Orders queues by ready and running jobs, then by jobs that may need attention. */
	private static final Comparator<QueueState> BUSIEST = Comparator
		.comparingLong((QueueState queue) -> queue.ready() + queue.working())
		.thenComparing(QueueState::dead)
		.thenComparing(QueueState::retries)
		.reversed()
		.thenComparing(QueueState::name);

	/**
	 * Return the busiest queues. The rows are ordered by name, so that they do not change
	 * places while somebody is reading.
	 * @param most the maximum number of rows
	 */
	static QueueTable of(Snapshot snapshot, Samples samples, Limits limits, int most) {
		List<QueueState> all = snapshot.queues().value();
		long longest = all.stream().mapToLong(QueueState::ready).max().orElse(0);
		List<QueueRow> rows = all.stream()
			.sorted(BUSIEST)
			.limit(most)
			.sorted(Comparator.comparing(QueueState::name))
			.map((queue) -> QueueRow.of(queue, snapshot, samples, limits, longest))
			.toList();
		return new QueueTable(rows, all.size());
	}

	boolean isEmpty() {
		return this.total == 0;
	}

	int others() {
		return this.total - this.rows.size();
	}

}

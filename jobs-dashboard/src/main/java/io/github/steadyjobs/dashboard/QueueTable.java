package io.github.steadyjobs.dashboard;

import java.util.Comparator;
import java.util.List;

import io.github.steadyjobs.admin.QueueState;

/**
 * A table of queues.
 *
 * @param rows the rows, by name
 * @param total how many queues there are, also those that are not in the table
 */
record QueueTable(List<QueueRow> rows, int total) {

	/** Queues with most to do first, then those that somebody may have to look at. */
	private static final Comparator<QueueState> BUSIEST = Comparator
		.comparingLong((QueueState queue) -> queue.ready() + queue.working())
		.thenComparing(QueueState::dead)
		.thenComparing(QueueState::retries)
		.reversed()
		.thenComparing(QueueState::name);

	/**
	 * Return the busiest queues. Their rows are in the order of the names, so that they
	 * do not change places while somebody reads.
	 * @param most how many
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

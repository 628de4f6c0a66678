package io.github.steadyjobs.dashboard;

import io.github.steadyjobs.admin.JobPause;
import io.github.steadyjobs.admin.QueueState;
import org.jspecify.annotations.Nullable;

/**
 * A queue in a table.
 *
 * @param state what it holds
 * @param trend how its size has changed
 * @param pause who has paused it, {@code null} if nobody has
 * @param isLate whether its oldest job has waited for too long, although nobody has
 * paused it
 * @param share its waiting jobs, in percent of those of the longest queue
 */
record QueueRow(QueueState state, Trend trend, @Nullable JobPause pause, boolean isLate, int share) {

	/**
	 * Return the row of a queue.
	 * @param longest how many jobs wait in the longest queue
	 */
	static QueueRow of(QueueState queue, Snapshot snapshot, Samples samples, Limits limits, long longest) {
		JobPause pause = snapshot.pauseOf(queue.name());
		long share = (longest > 0) ? (100 * queue.ready() + longest - 1) / longest : 0;
		return new QueueRow(queue, samples.trend(queue.name()), pause, pause == null && limits.isLate(queue),
				(int) share);
	}

	String name() {
		return this.state.name();
	}

	String address() {
		return QueuePage.address(this.state.name());
	}

	/** Return by how many jobs it grows in a minute. */
	long growth() {
		return Math.round(this.trend.growth());
	}

	String growthCss() {
		return (growth() == 0) ? "none" : (growth() > 0) ? "growing" : "draining";
	}

}

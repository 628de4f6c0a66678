package io.github.steadyjobs.dashboard;

import io.github.steadyjobs.admin.JobPause;
import io.github.steadyjobs.admin.QueueState;
import org.jspecify.annotations.Nullable;

/**
 * A queue in a table.
 *
 * @param state the state of the queue
 * @param trend the changes of the queue's size
 * @param pause the pause of the queue, {@code null} if it is not paused
 * @param isLate whether the oldest job has waited for too long although the queue is not
 * paused
 * @param share the number of ready jobs, in percent of the number in the longest queue
 */
record QueueRow(QueueState state, Trend trend, @Nullable JobPause pause, boolean isLate, int share) {

	/**
	 * Return the row of a queue.
	 * @param longest the number of ready jobs in the longest queue
	 */
	static QueueRow of(QueueState queue, Snapshot snapshot, Samples samples, Limits limits, long longest) {
		JobPause pause = snapshot.pauseOf(JobPause.Kind.QUEUE, queue.name());
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

	/** Return the growth of the queue, in jobs per minute; below 0 if it shrinks. */
	long growth() {
		return Math.round(this.trend.growth());
	}

	String growthCss() {
		return (growth() == 0) ? "none" : (growth() > 0) ? "growing" : "draining";
	}

}

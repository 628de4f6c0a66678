package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;

import io.github.steadyjobs.admin.JobProcess;
import io.github.steadyjobs.admin.JobProcess.Run;
import io.github.steadyjobs.admin.QueueState;

/**
 * Holds the limits above which the overview warns.
 *
 * @param lateAfter maximum time that the oldest job of a queue may wait
 * @param stuckAfter maximum duration of a run, zero for no limit
 * @param silentAfter maximum time that a process may be silent
 */
record Limits(Duration lateAfter, Duration stuckAfter, Duration silentAfter) {

	boolean isLate(QueueState queue) {
		return queue.latency().compareTo(this.lateAfter) > 0;
	}

	boolean isStuck(Run run, Instant now) {
		return !this.stuckAfter.isZero() && run.since().plus(this.stuckAfter).isBefore(now);
	}

	boolean isSilent(JobProcess process, Instant now) {
		return process.lastBeat().plus(this.silentAfter).isBefore(now);
	}

}

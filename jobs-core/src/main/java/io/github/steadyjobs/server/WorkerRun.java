package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;

/**
 * What a worker runs: a job, or several that run together.
 *
 * @param slot which worker of the capsule has it, from 0
 * @param begunAt the {@link System#nanoTime()} at which it began
 */
record WorkerRun(String capsule, int slot, List<UnitOfWork> works, Thread thread, long begunAt) {

	/** Return the job that identifies the run. */
	UnitOfWork work() {
		return this.works.get(0);
	}

	Duration lasted() {
		return Duration.ofNanos(System.nanoTime() - this.begunAt);
	}

}

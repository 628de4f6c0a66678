package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;

/**
 * A run that a worker is executing, with one job or several jobs that run together.
 *
 * @param slot the index of the worker within its capsule, from 0
 * @param begunAt the value of {@link System#nanoTime()} when the run began
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

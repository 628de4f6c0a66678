package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;

import io.github.steadyjobs.redis.DeadLimits;

/**
 * The settings of a worker process.
 *
 * @param capsules the capsules
 * @param shutdownTimeout time that running jobs get to end at a shutdown
 * @param liveness how processes find out which of them are dead
 * @param dead what the dead set keeps
 * @param retries how often a job is retried that does not say so itself
 * @param backtraceLines how many lines of a failure's stack trace are stored with a job
 */
public record WorkerSettings(List<Capsule> capsules, Duration shutdownTimeout, Liveness liveness, DeadLimits dead,
		int retries, int backtraceLines) {

	public WorkerSettings {
		capsules = List.copyOf(capsules);
	}

}

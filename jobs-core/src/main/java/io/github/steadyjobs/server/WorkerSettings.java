package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.redis.DeadLimits;

import org.springframework.util.Assert;

/**
 * The settings of a worker process.
 *
 * @param capsules the capsules
 * @param shutdownTimeout how long a shutdown waits for running jobs to end
 * @param liveness how processes detect dead processes
 * @param dead the limits of the dead set
 * @param failures the defaults for jobs that fail
 * @param orderOfParts the order among the parts of a queue: {@link Capsule.Order#LAG} or
 * {@link Capsule.Order#ROUND_ROBIN}
 * @param oversight settings for monitoring this process and its runs
 */
public record WorkerSettings(List<Capsule> capsules, Duration shutdownTimeout, Liveness liveness, DeadLimits dead,
		Failures failures, Capsule.Order orderOfParts, Oversight oversight) {

	public WorkerSettings {
		capsules = List.copyOf(capsules);
		Assert.isTrue(orderOfParts == Capsule.Order.LAG || orderOfParts == Capsule.Order.ROUND_ROBIN,
				() -> "'orderOfParts' must be LAG or ROUND_ROBIN, but is " + orderOfParts);
	}

	/**
	 * Settings for monitoring this process and its runs.
	 *
	 * @param label the name of the application; may be empty
	 * @param version the version of the application; may be empty
	 * @param logRuns whether to log the start and end of each run
	 * @param thresholds how long a run may take before it counts as slow or stuck
	 * @param ofJobs thresholds for individual jobs, by the name of the job
	 */
	public record Oversight(String label, String version, boolean logRuns, Thresholds thresholds,
			Map<String, Thresholds> ofJobs) {

		/** Runs are neither logged nor watched. */
		public static final Oversight NONE = new Oversight("", "", false, new Thresholds(Duration.ZERO, Duration.ZERO),
				Map.of());

		public Oversight {
			ofJobs = Map.copyOf(ofJobs);
		}

		Duration slowAfter(String job) {
			return of(job).slowAfter();
		}

		Duration stuckAfter(String job) {
			return of(job).stuckAfter();
		}

		private Thresholds of(String job) {
			return this.ofJobs.isEmpty() ? this.thresholds : this.ofJobs.getOrDefault(job, this.thresholds);
		}

	}

	/**
	 * How long a run may take before it counts as slow or stuck.
	 *
	 * @param slowAfter a run that takes longer counts as slow; 0 for no limit
	 * @param stuckAfter a run that takes longer counts as stuck; 0 for no limit
	 */
	public record Thresholds(Duration slowAfter, Duration stuckAfter) {

		public Thresholds {
			Assert.isTrue(!slowAfter.isNegative(), "'slowAfter' must not be negative");
			Assert.isTrue(!stuckAfter.isNegative(), "'stuckAfter' must not be negative");
		}

	}

	/**
	 * Defaults for jobs that fail.
	 *
	 * @param retries how many times a failed job is retried, unless the job has its own
	 * setting
	 * @param backtraceLines the number of lines of the stack trace that are stored with a
	 * failed job
	 */
	public record Failures(int retries, int backtraceLines) {

	}

	/**
	 * How processes detect dead processes.
	 *
	 * @param beat the time between two heartbeats
	 * @param deathAfter a process that sends no heartbeat for this long is presumed dead.
	 * Must be at least four times {@code beat}, because two readings of the heartbeats
	 * count as continuous only if they are at most a third of this time apart
	 * @param maxCrashes a job becomes dead when this many processes have died while
	 * running it
	 * @param stalledAfter a capsule that claims and settles nothing for this long counts
	 * as stalled, if jobs are ready, a worker is free and Redis answers
	 */
	public record Liveness(Duration beat, Duration deathAfter, int maxCrashes, Duration stalledAfter) {

		/** Create settings with which a capsule counts as stalled after a minute. */
		public Liveness(Duration beat, Duration deathAfter, int maxCrashes) {
			this(beat, deathAfter, maxCrashes, Duration.ofMinutes(1));
		}

		public Liveness {
			Assert.isTrue(beat.toMillis() > 0, "'beat' must be positive");
			Assert.isTrue(deathAfter.compareTo(beat.multipliedBy(4)) >= 0,
					"'deathAfter' must be at least four times 'beat'");
			Assert.isTrue(maxCrashes > 0, "'maxCrashes' must be positive");
		}

		/**
		 * Return whether jobs may be claimed before it is certain that they begin soon.
		 * If one or two crashes make a job dead, a crash could make jobs dead that never
		 * began.
		 */
		boolean allowsEarlyClaims() {
			return this.maxCrashes > 2;
		}

	}

}

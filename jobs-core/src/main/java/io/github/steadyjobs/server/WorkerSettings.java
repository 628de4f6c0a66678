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
 * @param shutdownTimeout time that running jobs get to end at a shutdown
 * @param liveness how processes find out which of them are dead
 * @param dead what the dead set keeps
 * @param failures what happens when jobs fail
 * @param orderOfParts the order among the parts of a queue: {@link Capsule.Order#LAG} or
 * {@link Capsule.Order#ROUND_ROBIN}
 * @param oversight what operators learn about this process and its runs
 */
public record WorkerSettings(List<Capsule> capsules, Duration shutdownTimeout, Liveness liveness, DeadLimits dead,
		Failures failures, Capsule.Order orderOfParts, Oversight oversight) {

	public WorkerSettings {
		capsules = List.copyOf(capsules);
		Assert.isTrue(orderOfParts == Capsule.Order.LAG || orderOfParts == Capsule.Order.ROUND_ROBIN,
				() -> "'orderOfParts' must be LAG or ROUND_ROBIN, but is " + orderOfParts);
	}

	/**
	 * What operators learn about this process and its runs.
	 *
	 * @param label the name of the application, may be empty
	 * @param version the version of the application, may be empty
	 * @param logRuns whether each run is logged when it begins and when it ends
	 * @param thresholds how long a run may take before it is slow or stuck
	 * @param ofJobs the same for single jobs, by name
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
	 * How long a run may take before it is slow or stuck.
	 *
	 * @param slowAfter how long a run may take without being slow, 0 for any time
	 * @param stuckAfter how long a run may take without being stuck, 0 for any time
	 */
	public record Thresholds(Duration slowAfter, Duration stuckAfter) {

		public Thresholds {
			Assert.isTrue(!slowAfter.isNegative(), "'slowAfter' must not be negative");
			Assert.isTrue(!stuckAfter.isNegative(), "'stuckAfter' must not be negative");
		}

	}

	/**
	 * What happens when jobs fail.
	 *
	 * @param retries how often a job is retried, unless the job has its own setting
	 * @param backtraceLines how many lines of a failure's stack trace are stored with a
	 * job
	 */
	public record Failures(int retries, int backtraceLines) {

	}

	/**
	 * How processes find out which of them are dead.
	 *
	 * @param beat time between two heartbeats
	 * @param deathAfter how long a process sends no heartbeat before it is taken for
	 * dead; at least four times {@code beat}, because a third of it is the longest gap
	 * between two looks at the others that still counts
	 * @param maxCrashes how many processes may die running a job before it is dead
	 * @param stalledAfter how long a capsule claims and settles nothing before it is
	 * taken for stalled, although jobs are ready, a worker is free and Redis answers
	 */
	public record Liveness(Duration beat, Duration deathAfter, int maxCrashes, Duration stalledAfter) {

		/** Settings with which a capsule is taken for stalled after a minute. */
		public Liveness(Duration beat, Duration deathAfter, int maxCrashes) {
			this(beat, deathAfter, maxCrashes, Duration.ofMinutes(1));
		}

		public Liveness {
			Assert.isTrue(beat.toMillis() > 0, "'beat' must be positive");
			Assert.isTrue(deathAfter.compareTo(beat.multipliedBy(4)) >= 0,
					"'deathAfter' must be at least four times 'beat'");
			Assert.isTrue(maxCrashes > 0, "'maxCrashes' must be positive");
		}

	}

}

package io.github.steadyjobs.client;

import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import io.github.steadyjobs.ConsistencySource;
import io.github.steadyjobs.Names;

import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * Settings of a client.
 *
 * @param payloadLimit the maximum size of the JSON of a job
 * @param clock provides the timestamps of jobs, and the current time for computing delays
 * @param lockTtl the maximum time for which a job prevents duplicates from being
 * enqueued, unless the job sets its own
 * @param dryRun whether to look for duplicates among jobs that do not declare whether
 * they are idempotent
 * @param sources the sources of positions for jobs that keep their consistency
 * @param doubtful whether a queue may lack a process that serves it, so that Redis must
 * be asked; evaluated each time a job is enqueued, until it has returned {@code true} for
 * the queue of the job
 * @param outage how to handle jobs while Redis accepts no jobs
 * @param observer accompanies each call that enqueues jobs
 */
public record JobClientSettings(DataSize payloadLimit, Clock clock, Duration lockTtl, boolean dryRun,
		List<ConsistencySource> sources, Predicate<String> doubtful, Outage outage, EnqueueObserver observer) {

	/**
	 * The defaults: a limit of 1 MB, the system clock, locks for 6 hours, the default
	 * handling of outages, and no dry run, sources or observer.
	 */
	public static final JobClientSettings DEFAULTS = new JobClientSettings(DataSize.ofMegabytes(1), Clock.systemUTC(),
			Duration.ofHours(6), false, List.of(), (queue) -> false, Outage.DEFAULTS);

	/** Create settings without an observer. */
	public JobClientSettings(DataSize payloadLimit, Clock clock, Duration lockTtl, boolean dryRun,
			List<ConsistencySource> sources, Predicate<String> doubtful, Outage outage) {
		this(payloadLimit, clock, lockTtl, dryRun, sources, doubtful, outage, EnqueueObserver.NONE);
	}

	public JobClientSettings {
		Assert.isTrue(payloadLimit.toBytes() > 0, "'payloadLimit' must be positive");
		Assert.isTrue(lockTtl.toMillis() > 0, "'lockTtl' must be 1 ms or more");
		sources = List.copyOf(sources);
		Set<String> names = new HashSet<>();
		for (ConsistencySource source : sources) {
			String name = source.name();
			Assert.isTrue(Names.isName(name), () -> "Consistency source '%s' (%s) needs a name of %s".formatted(name,
					source.getClass().getName(), Names.RULE));
			Assert.isTrue(names.add(name), () -> "Two consistency sources are called '%s'".formatted(name));
		}
	}

	/**
	 * How to handle jobs while Redis accepts no jobs.
	 *
	 * @param retryAfterCommit how long to try to store jobs of a committed transaction
	 * for which the buffer has no room; with zero, the commit throws an exception at once
	 * @param buffer the maximum number of jobs that wait in memory until Redis is
	 * available again; 0 for no buffer
	 * @param bufferSize the maximum total size of the payloads of all jobs that wait in
	 * memory, including those of committed transactions
	 * @param logPayloads whether the payloads of lost jobs are logged
	 * @param shutdownTimeout the maximum time for which jobs are still sent while the
	 * application is stopping
	 */
	public record Outage(Duration retryAfterCommit, int buffer, DataSize bufferSize, boolean logPayloads,
			Duration shutdownTimeout) {

		/**
		 * The defaults: jobs of a transaction are retried for 30 seconds and take up to
		 * 256 MB of memory while they wait, and other jobs fail at once. Payloads are
		 * logged, and a shutdown may take 25 seconds.
		 */
		public static final Outage DEFAULTS = new Outage(Duration.ofSeconds(30), 0, DataSize.ofMegabytes(256), true,
				Duration.ofSeconds(25));

		public Outage {
			Assert.isTrue(!retryAfterCommit.isNegative(), "'retryAfterCommit' must not be negative");
			Assert.isTrue(buffer >= 0, "'buffer' must not be negative");
			Assert.isTrue(!bufferSize.isNegative(), "'bufferSize' must not be negative");
			Assert.isTrue(!shutdownTimeout.isNegative(), "'shutdownTimeout' must not be negative");
		}

	}

}

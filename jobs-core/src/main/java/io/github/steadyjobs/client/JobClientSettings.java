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
 * @param payloadLimit how large the JSON of a job may be
 * @param clock stamps jobs, and says how long until a job is due
 * @param lockTtl how long a job keeps equal ones from being enqueued at most, unless it
 * says so itself
 * @param dryRun whether to look for duplicates among jobs that declare nothing
 * @param sources asked for positions by jobs that keep their consistency
 * @param doubtful says of a queue whether to ask Redis if any process serves it, because
 * this one does not; asked at each enqueue until it says so
 * @param outage how to handle jobs while Redis takes none
 */
public record JobClientSettings(DataSize payloadLimit, Clock clock, Duration lockTtl, boolean dryRun,
		List<ConsistencySource> sources, Predicate<String> doubtful, Outage outage) {

	/**
	 * A limit of 1 MB, the clock of the system, locks for 6 hours, the default handling
	 * of outages, and nothing else.
	 */
	public static final JobClientSettings DEFAULTS = new JobClientSettings(DataSize.ofMegabytes(1), Clock.systemUTC(),
			Duration.ofHours(6), false, List.of(), (queue) -> false, Outage.DEFAULTS);

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
	 * How to handle jobs while Redis takes none.
	 *
	 * @param retryAfterCommit how long to try to store the jobs of a transaction that has
	 * committed; zero lets the commit throw at once
	 * @param buffer how many jobs may wait in memory for Redis to come back; 0 for none
	 * @param bufferSize how large the payloads may be of all jobs that wait in memory,
	 * those of committed transactions included
	 * @param logPayloads whether the log has the payloads of jobs that are lost
	 * @param shutdownTimeout how long the application may take to stop, while jobs are
	 * still sent
	 */
	public record Outage(Duration retryAfterCommit, int buffer, DataSize bufferSize, boolean logPayloads,
			Duration shutdownTimeout) {

		/**
		 * Jobs of a transaction are tried for 30 seconds, others fail at once. The log
		 * has payloads, and a shutdown may take 25 seconds.
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

package io.github.steadyjobs.benchmarks.chaos;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

import io.github.steadyjobs.benchmarks.Options;
import org.jspecify.annotations.Nullable;

/**
 * The options of a run of the chaos program.
 *
 * @param redis address of the server, {@code embedded} or {@code cluster}
 * @param load the jobs to enqueue
 * @param fleet the worker processes
 * @param faults the kinds of faults to inject
 * @param timing intervals and timeouts
 * @param keep the directory in which logs are kept, {@code null} to remove them
 */
record ChaosOptions(String redis, Load load, Fleet fleet, Set<Fault> faults, Timing timing, @Nullable Path keep) {

	static final String EMBEDDED = "embedded";

	static final String CLUSTER = "cluster";

	private static final Set<String> NAMES = Set.of("redis", "jobs", "workers", "seconds", "faults", "seed",
			"concurrency", "claim-ahead", "lengths", "ordered", "hot", "spare", "operator", "beat", "death-after",
			"pause", "settle", "keep", "other-jar");

	static ChaosOptions parse(String[] args) {
		Options options = new Options(args, NAMES);
		String redis = options.text("redis", "redis://127.0.0.1:6379");
		if (!redis.equals(EMBEDDED) && !redis.equals(CLUSTER) && !redis.startsWith("redis://")) {
			throw new IllegalArgumentException(
					"--redis has to be '%s', '%s' or begin with 'redis://', not '%s': the relays pass on what they cannot read"
						.formatted(EMBEDDED, CLUSTER, redis));
		}
		String faults = redis.equals(CLUSTER) ? Fault.DEFAULTS_WITH_CLUSTER : Fault.DEFAULTS;
		String keep = options.text("keep", "");
		return new ChaosOptions(redis, Load.parse(options), Fleet.parse(options),
				Fault.parseAll(options.text("faults", faults)), Timing.parse(options),
				keep.isEmpty() ? null : Path.of(keep));
	}

	boolean isEmbedded() {
		return this.redis.equals(EMBEDDED);
	}

	boolean isCluster() {
		return this.redis.equals(CLUSTER);
	}

	/**
	 * Return a copy of these options without a kind of fault.
	 */
	ChaosOptions without(Fault fault) {
		Set<Fault> others = EnumSet.copyOf(this.faults);
		others.remove(fault);
		return new ChaosOptions(this.redis, this.load, this.fleet, others, this.timing, this.keep);
	}

	/**
	 * The jobs to enqueue.
	 *
	 * @param jobs number of jobs
	 * @param seconds period over which jobs are enqueued and faults are injected
	 * @param seed the random seed
	 * @param lengths how long jobs take
	 * @param ordered percentage of the jobs that are payloads of the ordered job
	 * @param hot percentage of these payloads that have the same key
	 * @param operator whether an operator changes jobs by hand at the same time
	 */
	record Load(int jobs, int seconds, long seed, Order.Lengths lengths, int ordered, int hot, boolean operator) {

		private static Load parse(Options options) {
			String seed = options.text("seed", "42");
			try {
				return new Load(options.number("jobs", 20_000), options.number("seconds", 60), Long.parseLong(seed),
						Order.Lengths.parse(options.text("lengths", "varied")),
						percent("ordered", options.text("ordered", "25")), percent("hot", options.text("hot", "10")),
						Boolean.parseBoolean(options.text("operator", "true")));
			}
			catch (NumberFormatException ex) {
				throw new IllegalArgumentException("--seed has to be a whole number, not '%s'".formatted(seed));
			}
		}

		private static int percent(String name, String share) {
			if (!share.matches("\\d{1,2}|100")) {
				throw new IllegalArgumentException(
						"--%s has to be a whole number of percent from 0 to 100, not '%s'".formatted(name, share));
			}
			return Integer.parseInt(share);
		}

	}

	/**
	 * The worker processes.
	 *
	 * @param workers number of worker processes
	 * @param concurrency number of jobs that each process may run at the same time
	 * @param claimAhead how long jobs may be expected to wait in a worker
	 * @param spare number of workers that are never killed, stopped or paused, because a
	 * death is noticed only by a process that has been alive the whole time
	 * @param otherJar another version of this program that every other worker runs,
	 * {@code null} if all run this version
	 */
	record Fleet(int workers, int concurrency, Duration claimAhead, int spare, @Nullable Path otherJar) {

		private static Fleet parse(Options options) {
			int workers = options.number("workers", 3);
			String spare = options.text("spare", (workers > 1) ? "1" : "0");
			if (!spare.matches("\\d{1,3}") || Integer.parseInt(spare) >= workers) {
				throw new IllegalArgumentException(
						"--spare has to be 0 or more and less than --workers, not '%s'".formatted(spare));
			}
			return new Fleet(workers, options.number("concurrency", 10),
					options.duration("claim-ahead", Duration.ofMillis(5)), Integer.parseInt(spare),
					readOtherJar(options));
		}

	}

	/**
	 * Return the other version of this program, {@code null} if there is none.
	 * @throws IllegalArgumentException if the option does not name a file
	 */
	static @Nullable Path readOtherJar(Options options) {
		String jar = options.text("other-jar", "");
		if (!jar.isEmpty() && !Files.isRegularFile(Path.of(jar))) {
			throw new IllegalArgumentException("--other-jar has to be a file, not '%s'".formatted(jar));
		}
		return jar.isEmpty() ? null : Path.of(jar);
	}

	/**
	 * Intervals and timeouts.
	 *
	 * @param beat time between two heartbeats
	 * @param deathAfter time of silence after which a process is declared dead
	 * @param pause duration of a long pause
	 * @param settle time for jobs to end after the last fault
	 */
	record Timing(Duration beat, Duration deathAfter, Duration pause, Duration settle) {

		private static Timing parse(Options options) {
			Duration deathAfter = options.duration("death-after", Duration.ofSeconds(30));
			return new Timing(options.duration("beat", Duration.ofSeconds(5)), deathAfter,
					options.duration("pause", deathAfter.multipliedBy(3).dividedBy(2)),
					options.duration("settle", deathAfter.multipliedBy(4).plusSeconds(60)));
		}

	}

}

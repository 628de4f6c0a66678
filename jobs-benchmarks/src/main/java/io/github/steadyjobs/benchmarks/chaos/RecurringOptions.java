package io.github.steadyjobs.benchmarks.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.github.steadyjobs.benchmarks.Options;

/**
 * The options of a run of the program {@code recurring}.
 *
 * @param chaos faults, server and workers
 * @param lateAfter delay after which the latest tick of a recurring job counts as missed
 * @param faultEvery the mean time from one fault to the next
 * @param idle whether to measure the cost of recurring jobs that are not due
 */
record RecurringOptions(ChaosOptions chaos, Duration lateAfter, Duration faultEvery, boolean idle) {

	private static final Set<String> NAMES = Set.of("redis", "jobs", "processes", "duration", "faults", "seed",
			"fault-every", "late-after", "concurrency", "beat", "death-after", "pause", "settle", "idle", "keep",
			"other-jar");

	/** The time after which all processes know about each other. */
	private static final Duration IDLE_SETTLE = Duration.ofSeconds(20);

	private static final String FAULTS = "kill,pause,redis-restart";

	static RecurringOptions parse(String[] args) {
		Options options = new Options(args, NAMES);
		String redis = options.text("redis", "redis://127.0.0.1:6379");
		if (!redis.equals(ChaosOptions.EMBEDDED) && !redis.startsWith("redis://")) {
			throw new IllegalArgumentException("--redis has to be '%s' or begin with 'redis://', not '%s'"
				.formatted(ChaosOptions.EMBEDDED, redis));
		}
		boolean idle = Boolean.parseBoolean(options.text("idle", "false"));
		Duration deathAfter = options.duration("death-after", Duration.ofSeconds(30));
		ChaosOptions.Timing timing = new ChaosOptions.Timing(options.duration("beat", Duration.ofSeconds(5)),
				deathAfter, options.duration("pause", Duration.ofSeconds(8)),
				options.duration("settle", idle ? IDLE_SETTLE : deathAfter.multipliedBy(4).plusSeconds(60)));
		String keep = options.text("keep", "");
		ChaosOptions chaos = new ChaosOptions(redis, load(options), fleet(options), faults(options, redis), timing,
				keep.isEmpty() ? null : Path.of(keep));
		return new RecurringOptions(chaos, options.duration("late-after", Duration.ofSeconds(5)),
				options.duration("fault-every", Duration.ofSeconds(20)), idle);
	}

	/**
	 * Return the command of a process, with its options.
	 * @param redis the address of Redis
	 * @param prefix prefix of all keys
	 * @param jobs number of recurring jobs that the process declares
	 * @param seed the random seed from which the jobs are drawn; empty for jobs that
	 * never become due
	 */
	List<String> process(String redis, String prefix, int jobs, String seed) {
		return List.of(RecurringProcess.COMMAND, "--redis", redis, "--prefix", prefix, "--jobs", Integer.toString(jobs),
				"--seed", seed, "--late-after", this.lateAfter.toMillis() + "ms", "--concurrency",
				Integer.toString(this.chaos.fleet().concurrency()), "--beat",
				this.chaos.timing().beat().toMillis() + "ms", "--death-after",
				this.chaos.timing().deathAfter().toMillis() + "ms");
	}

	private static ChaosOptions.Load load(Options options) {
		Duration duration = options.duration("duration", Duration.ofMinutes(10));
		if (duration.toSeconds() < 1) {
			throw new IllegalArgumentException("--duration has to be 1s or more, not '%s'".formatted(duration));
		}
		String seed = options.text("seed", "42");
		try {
			return new ChaosOptions.Load(options.number("jobs", 1000), (int) duration.toSeconds(), Long.parseLong(seed),
					Order.Lengths.VARIED, 0, 0, false);
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException("--seed has to be a whole number, not '%s'".formatted(seed));
		}
	}

	private static ChaosOptions.Fleet fleet(Options options) {
		int processes = options.number("processes", 10);
		return new ChaosOptions.Fleet(processes, options.number("concurrency", 10), Duration.ofMillis(5),
				(processes > 1) ? 1 : 0, ChaosOptions.readOtherJar(options));
	}

	private static Set<Fault> faults(Options options, String redis) {
		Set<Fault> faults = EnumSet.noneOf(Fault.class);
		faults.addAll(Fault.parseAll(options.text("faults", FAULTS)));
		if (faults.contains(Fault.MASTER_KILL)) {
			throw new IllegalArgumentException("'%s' is for a cluster, and there is none".formatted(Fault.MASTER_KILL));
		}
		if (faults.contains(Fault.OLDER_DATA)) {
			throw new IllegalArgumentException(
					"'%s' is for the program 'chaos': here each decision on a tick counts, and Redis would forget some"
						.formatted(Fault.OLDER_DATA));
		}
		if (faults.contains(Fault.REDIS_RESTART) && !redis.equals(ChaosOptions.EMBEDDED)) {
			throw new IllegalArgumentException(
					"'%s' is for a server that this program has started itself: use '--redis %s', or leave it out"
						.formatted(Fault.REDIS_RESTART, ChaosOptions.EMBEDDED));
		}
		return faults;
	}

}

package io.github.steadyjobs.boot;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.JobLimits;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.IdempotenceDefaults.Undeclared;
import io.github.steadyjobs.server.Capsule.Order;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import static io.github.steadyjobs.boot.JobsPropertyException.throwUnless;

/**
 * Configuration properties for background jobs.
 *
 * @param enabled Whether to configure background jobs at all.
 * @param prefix Prefix of every Redis key. Applications that use the same Redis but do
 * not share their jobs need different prefixes.
 * @param client Settings for enqueueing while Redis is unavailable.
 * @param worker Settings for the workers of this process.
 * @param queues Settings for queues, by name.
 * @param capsules Settings for capsules, by name. Unless it lists queues itself, the
 * capsule 'default' serves every queue that no other capsule lists.
 * @param shutdownTimeout Time to wait for running jobs to end when the application stops.
 * Must be shorter than 'spring.lifecycle.timeout-per-shutdown-phase'.
 * @param payloadLimit Maximum size of a job as JSON.
 * @param liveness Settings for the heartbeats of this process.
 * @param dead Limits of the dead set.
 * @param retry Settings for retries of failed jobs.
 * @param idempotence Settings for idempotent jobs, and for jobs that do not declare
 * whether they are idempotent.
 * @param sequential Settings for ordered jobs.
 * @param runs Settings for logging the runs of jobs.
 * @param jobs Overrides of the annotations on jobs, as in
 * 'steadyjobs.jobs.InvoiceJobs.send.queue', '….retries' and '….timeout'.
 * @param context Settings for the context that travels with jobs.
 * @param ticks Settings for the ticks of recurring jobs.
 * @param recurring Overrides of '@Recurring' annotations, as in
 * 'steadyjobs.recurring.nightly.cron', '….every' and '….missed'.
 */
@ConfigurationProperties("steadyjobs")
record JobsProperties(@DefaultValue("true") boolean enabled, @DefaultValue("steadyjobs") String prefix,
		@DefaultValue @NestedConfigurationProperty ClientProperties client,
		@DefaultValue @NestedConfigurationProperty WorkerProperties worker, @DefaultValue Map<String, Queue> queues,
		@DefaultValue Map<String, Capsule> capsules, @DefaultValue("25s") Duration shutdownTimeout,
		@DefaultValue("1MB") DataSize payloadLimit, @DefaultValue Liveness liveness, @DefaultValue Dead dead,
		@DefaultValue Retry retry, @DefaultValue Idempotence idempotence,
		@DefaultValue @NestedConfigurationProperty SequentialProperties sequential,
		@DefaultValue @NestedConfigurationProperty RunProperties runs, @DefaultValue Map<String, String> jobs,
		@DefaultValue @NestedConfigurationProperty ContextProperties context,
		@DefaultValue @NestedConfigurationProperty TickProperties ticks, @DefaultValue Map<String, String> recurring) {

	private static final int MAX_WEIGHT = 1000;

	private static final Duration MOST_CLAIM_AHEAD = Duration.ofMillis(100);

	JobsProperties {
		throwUnless(Names.isName(prefix), "steadyjobs.prefix", prefix, "Use " + Names.RULE + ".");
		queues.forEach((name, queue) -> queue.check(name));
		capsules.forEach((name, capsule) -> capsule.check(name, liveness.deathAfter()));
		throwUnless(!shutdownTimeout.isNegative(), "steadyjobs.shutdown-timeout", shutdownTimeout,
				"Set it to 0s or more, as in '25s'.");
		throwUnless(payloadLimit.toBytes() > 0, "steadyjobs.payload-limit", payloadLimit,
				"Set it to more than nothing, as in '1MB'.");
	}

	/**
	 * Return the version of this library; {@code null} if it was not loaded from a jar.
	 */
	static @Nullable String version() {
		return JobsProperties.class.getPackage().getImplementationVersion();
	}

	static boolean isWeight(int weight) {
		return weight >= 1 && weight <= MAX_WEIGHT;
	}

	private static void checkName(String kind, String prefix, String name) {
		throwUnless(Names.isName(name), prefix + name, "…",
				"Use %s as the name of the %s, and brackets around it where it has a dot, as in '%s[my.name]'."
					.formatted(Names.RULE, kind, prefix.substring(0, prefix.length() - 1)));
	}

	/**
	 * Settings of one queue.
	 *
	 * @param weight How often the queue is served, relative to the weights of the other
	 * queues of its capsule.
	 * @param delivery Whether a job runs again if its process dies or is stopped while
	 * the job is running. Otherwise the job becomes dead, because it may have done its
	 * work.
	 * @param breaker Condition that pauses the queue: number of failures, time within
	 * which they occur, and length of the pause, separated by commas.
	 */
	record Queue(@DefaultValue("1") int weight, @DefaultValue("at-least-once") Delivery delivery,
			@Nullable String breaker) {

		private void check(String name) {
			checkName("queue", "steadyjobs.queues.", name);
			throwUnless(isWeight(this.weight), "steadyjobs.queues.%s.weight".formatted(name), this.weight,
					"Set it to 1 to 1000. The larger it is, the more often the queue is served.");
			if (this.breaker != null) {
				BreakerSpec.parse("steadyjobs.queues.%s.breaker".formatted(name), this.breaker);
			}
		}

	}

	/**
	 * Whether an interrupted job runs again.
	 */
	enum Delivery {

		/**
		 * A job that a crash or a shutdown has interrupted runs again.
		 */
		AT_LEAST_ONCE,

		/**
		 * An interrupted job never runs again. Failed jobs are still retried.
		 */
		AT_MOST_ONCE

	}

	/**
	 * Settings of one capsule.
	 *
	 * @param concurrency Maximum number of jobs that run at the same time.
	 * @param queues Queues to serve, each with an optional weight, as in 'critical,6'.
	 * @param order Order in which workers serve the queues: 'weighted', 'strict',
	 * 'random', 'round-robin', 'lag', or the name of a bean that selects queues.
	 * @param claimAhead Maximum time that claimed jobs are expected to wait in this
	 * process for a worker. The longer this time, the fewer calls to Redis are needed for
	 * short jobs. With 0, no more jobs are claimed than there are free workers.
	 */
	record Capsule(@DefaultValue("10") int concurrency, @DefaultValue List<String> queues,
			@DefaultValue("weighted") String order, @DefaultValue("5ms") Duration claimAhead) {

		/**
		 * The settings of the capsule 'default' if its properties are not set.
		 */
		static final Capsule USUAL = new Capsule(10, List.of(), "weighted", Duration.ofMillis(5));

		void check(String name, Duration deathAfter) {
			checkName("capsule", "steadyjobs.capsules.", name);
			String prefix = "steadyjobs.capsules.%s.".formatted(name);
			throwUnless(this.concurrency > 0, prefix + "concurrency", this.concurrency,
					"Set it to 1 or more, the number of jobs run at the same time. To run no jobs in this process, set "
							+ "'steadyjobs.worker.enabled' to false.");
			throwUnless(builtInOrder() != Order.STRICT || !this.queues.isEmpty(), prefix + "order", "strict",
					"List the queues in '%squeues', the most important first: 'strict' takes that order."
						.formatted(prefix));
			throwUnless(name.equals("default") || !this.queues.isEmpty(), prefix + "queues", null,
					"List the queues of the capsule, as in '%squeues=%s'. Only the capsule 'default' needs no list."
						.formatted(prefix, name));
			throwUnless(!this.claimAhead.isNegative() && this.claimAhead.compareTo(MOST_CLAIM_AHEAD) <= 0,
					prefix + "claim-ahead", this.claimAhead, "Set it to 0ms to 100ms, as in '5ms'.");
			throwUnless(this.claimAhead.multipliedBy(40).compareTo(deathAfter) < 0, prefix + "claim-ahead",
					this.claimAhead,
					"Set it to less than a fortieth of 'steadyjobs.liveness.death-after', which is '%s': jobs that were claimed ahead must begin or go back long before this process could count as dead."
						.formatted(deathAfter));
			specs(name);
		}

		/**
		 * Return the built-in order; {@code null} if the order is not built in.
		 */
		@Nullable Order builtInOrder() {
			String wanted = this.order.replaceAll("[_-]", "");
			return Stream.of(Order.values())
				.filter((candidate) -> candidate.name().replace("_", "").equalsIgnoreCase(wanted))
				.findAny()
				.orElse(null);
		}

		List<QueueSpec> specs(String name) {
			return QueueSpec.parseAll("steadyjobs.capsules.%s.queues".formatted(name), this.queues);
		}

	}

	/**
	 * Settings for the heartbeats of this process.
	 *
	 * @param beat Time between two heartbeats.
	 * @param deathAfter Time without a heartbeat after which a process is declared dead
	 * and its jobs are run by other processes. Must be at least four times 'beat'.
	 * @param maxCrashes Number of process deaths during the runs of a job after which the
	 * job becomes dead.
	 */
	record Liveness(@DefaultValue("5s") Duration beat, @DefaultValue("30s") Duration deathAfter,
			@DefaultValue("3") int maxCrashes) {

		Liveness {
			throwUnless(beat.toMillis() > 0, "steadyjobs.liveness.beat", beat, "Set it to 1ms or more, as in '5s'.");
			throwUnless(deathAfter.compareTo(beat.multipliedBy(4)) >= 0, "steadyjobs.liveness.death-after", deathAfter,
					"Set it to at least four times 'steadyjobs.liveness.beat', which is '%s'.".formatted(beat));
			throwUnless(maxCrashes > 0, "steadyjobs.liveness.max-crashes", maxCrashes,
					"Set it to 1 or more. 1 makes a job dead with the first process that dies while it runs.");
		}

	}

	/**
	 * Limits of the dead set.
	 *
	 * @param max Maximum number of dead jobs that each queue keeps. The oldest dead jobs
	 * are deleted first.
	 * @param age Time for which dead jobs are kept.
	 */
	record Dead(@DefaultValue("10000") int max, @DefaultValue("180d") Duration age) {

		Dead {
			throwUnless(max > 0, "steadyjobs.dead.max", max, "Set it to 1 or more, the number of dead jobs to keep.");
			throwUnless(age.toMillis() > 0, "steadyjobs.dead.age", age, "Set it to 1ms or more, as in '180d'.");
		}

	}

	/**
	 * Settings for retries of failed jobs.
	 *
	 * @param max Maximum number of retries of a failed job, unless the job sets its own
	 * number.
	 * @param backtrace Number of stack trace lines that are stored with a failed job.
	 */
	record Retry(@DefaultValue("25") int max, @DefaultValue("0") int backtrace) {

		Retry {
			throwUnless(max >= 0, "steadyjobs.retry.max", max,
					"Set it to 0 or more. 0 makes a job dead when it fails first.");
			throwUnless(backtrace >= 0, "steadyjobs.retry.backtrace", backtrace,
					"Set it to 0 or more. 0 stores no stack trace.");
		}

	}

	/**
	 * Settings for idempotent jobs, and for jobs that do not declare whether they are
	 * idempotent.
	 *
	 * @param strategy Strategy that determines when an idempotent job is a duplicate,
	 * unless the job sets its own strategy.
	 * @param ttl Maximum time for which an idempotent job prevents equal jobs from being
	 * enqueued, unless the job sets its own time.
	 * @param undeclared Reaction at start-up to jobs that are neither '@Idempotent' nor
	 * '@NotIdempotent'.
	 * @param dryRun Whether to count duplicates of jobs that are not idempotent, without
	 * dropping them.
	 */
	record Idempotence(@DefaultValue("until-executing") Strategy strategy, @DefaultValue("6h") Duration ttl,
			@DefaultValue("warn") Undeclared undeclared, @DefaultValue("false") boolean dryRun) {

		Idempotence {
			throwUnless(strategy != Strategy.DEFAULT, "steadyjobs.idempotence.strategy", "default",
					"Set it to 'until-executing', 'until-executed', 'while-executing' or 'within'.");
			throwUnless(JobLimits.isTime(ttl), "steadyjobs.idempotence.ttl", ttl,
					"Set it to 1ms or more, as in '6h', and less than 100,000 years. Whatever ends a job ends its lock, so this is only the last resort.");
		}

		IdempotenceDefaults defaults() {
			return new IdempotenceDefaults(this.strategy, this.ttl, this.undeclared);
		}

	}

}

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
 * @param prefix Prefix of every Redis key. Applications that share a Redis but not their
 * jobs need different prefixes.
 * @param client Enqueueing while Redis is unavailable.
 * @param worker Worker of this process.
 * @param queues Queues by name.
 * @param capsules Capsules by name. The one named 'default' serves every queue that no
 * other capsule names, unless it lists queues itself.
 * @param shutdownTimeout Time that running jobs get to end when the application stops.
 * Must be shorter than 'spring.lifecycle.timeout-per-shutdown-phase'.
 * @param payloadLimit Size that a job may have as JSON.
 * @param liveness Signs of life that this process gives.
 * @param dead What the dead set keeps.
 * @param retry Retries of failed jobs.
 * @param idempotence Jobs that are idempotent, and those that do not declare it.
 * @param sequential Ordered jobs.
 * @param runs What the log says about runs of jobs.
 * @param jobs Overrides of a job's annotations, as in
 * 'steadyjobs.jobs.InvoiceJobs.send.queue', '….retries' and '….timeout'.
 * @param ticks Ticks of recurring jobs.
 * @param recurring Overrides of what '@Recurring' says, as in
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
	 * Return the version of this library, {@code null} if it does not come from a jar.
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
	 * One queue.
	 *
	 * @param weight How often the queue is served, in proportion to the other weights of
	 * its capsule.
	 * @param delivery What happens to a job whose process died or was stopped while it
	 * ran: it runs again, or it is dead because it may have done its work.
	 * @param breaker When the queue is paused because jobs fail: number of failures, time
	 * within which they occur, and length of the pause, separated by commas.
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
	 * How often the jobs of a queue run.
	 */
	enum Delivery {

		/**
		 * Again after a crash or an interruption.
		 */
		AT_LEAST_ONCE,

		/**
		 * Never again after a crash or an interruption. Failed jobs are still retried.
		 */
		AT_MOST_ONCE

	}

	/**
	 * One capsule.
	 *
	 * @param concurrency Number of jobs run at the same time.
	 * @param queues Queues to serve, each with an optional weight as in 'critical,6'.
	 * @param order How workers are shared out among the queues: 'weighted', 'strict',
	 * 'random', 'round-robin', 'lag', or the name of a bean that selects queues.
	 * @param claimAhead Time that jobs may be expected to wait in this process for a
	 * worker. The longer it is, the fewer calls to Redis short jobs need. With 0, no more
	 * jobs are claimed than there are free workers.
	 */
	record Capsule(@DefaultValue("10") int concurrency, @DefaultValue List<String> queues,
			@DefaultValue("weighted") String order, @DefaultValue("5ms") Duration claimAhead) {

		/**
		 * The capsule 'default' if none of its properties is set.
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
					"Set it to less than a fortieth of 'steadyjobs.liveness.death-after', which is '%s': jobs that were claimed ahead must begin or go back long before this process could be taken for dead."
						.formatted(deathAfter));
			specs(name);
		}

		/**
		 * Return the built-in order, {@code null} if it is another one.
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
	 * Signs of life that this process gives.
	 *
	 * @param beat Time between two heartbeats.
	 * @param deathAfter Time without a heartbeat after which a process is declared dead
	 * and its jobs run elsewhere. At least four times 'beat'.
	 * @param maxCrashes Number of process deaths after which a job that was running each
	 * time is dead too.
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
	 * What the dead set keeps.
	 *
	 * @param max Number of dead jobs that each queue keeps. The oldest go first.
	 * @param age Time that dead jobs are kept.
	 */
	record Dead(@DefaultValue("10000") int max, @DefaultValue("180d") Duration age) {

		Dead {
			throwUnless(max > 0, "steadyjobs.dead.max", max, "Set it to 1 or more, the number of dead jobs to keep.");
			throwUnless(age.toMillis() > 0, "steadyjobs.dead.age", age, "Set it to 1ms or more, as in '180d'.");
		}

	}

	/**
	 * Retries of failed jobs.
	 *
	 * @param max Number of retries of a job that sets none itself.
	 * @param backtrace Number of lines of the stack trace that are stored with a failed
	 * job.
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
	 * Jobs that are idempotent, and those that do not declare whether they are.
	 *
	 * @param strategy When an idempotent job is a duplicate, unless the job says so
	 * itself.
	 * @param ttl Longest time for which an idempotent job keeps equal ones from being
	 * enqueued, unless the job says so itself.
	 * @param undeclared What to do at start-up if jobs are neither '@Idempotent' nor
	 * '@NotIdempotent'.
	 * @param dryRun Whether to count the duplicates of jobs that are not idempotent,
	 * without dropping any.
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

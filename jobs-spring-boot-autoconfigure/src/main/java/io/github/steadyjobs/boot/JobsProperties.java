package io.github.steadyjobs.boot;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.github.steadyjobs.server.Capsule.Order;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for background jobs.
 *
 * @param enabled Whether to configure background jobs at all.
 * @param prefix Prefix of every Redis key. Applications that share a Redis and not their
 * jobs need different ones.
 * @param worker Worker of this process.
 * @param queues Queues by name.
 * @param capsules Capsules by name. The one named 'default' serves every queue that no
 * other capsule names.
 * @param shutdownTimeout Time that running jobs get to end when the application stops.
 * Must be shorter than 'spring.lifecycle.timeout-per-shutdown-phase'.
 * @param payloadLimit Size that a job may have as JSON.
 * @param liveness Signs of life that this process gives.
 * @param dead What the dead set keeps.
 * @param retry Retries of failed jobs.
 * @param jobs Overrides of a job's annotation, as in 'steadyjobs.jobs.InvoiceJobs.send.queue'
 * and '….retries'.
 */
@ConfigurationProperties("steadyjobs")
record JobsProperties(@DefaultValue("true") boolean enabled, @DefaultValue("steadyjobs") String prefix,
		@DefaultValue Worker worker, @DefaultValue Map<String, Queue> queues,
		@DefaultValue Map<String, Capsule> capsules, @DefaultValue("25s") Duration shutdownTimeout,
		@DefaultValue("1MB") DataSize payloadLimit, @DefaultValue Liveness liveness, @DefaultValue Dead dead,
		@DefaultValue Retry retry, @DefaultValue Map<String, String> jobs) {

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

	JobsProperties {
		checkName("prefix", prefix);
		queues.keySet().forEach((queue) -> checkName("queues", queue));
		capsules.forEach((name, capsule) -> {
			checkName("capsules", name);
			Assert.isTrue(name.equals("default") || !capsule.queues().isEmpty(),
					() -> ("Capsule '%s' has no queues. List them in 'steadyjobs.capsules.%s.queues'; only the capsule "
							+ "'default' serves what no other one names.")
						.formatted(name, name));
		});
		Assert.isTrue(!shutdownTimeout.isNegative(), "'shutdown-timeout' must not be negative");
		Assert.isTrue(payloadLimit.toBytes() > 0, "'payload-limit' must be positive");
	}

	static void checkName(String property, String name) {
		Assert.isTrue(NAME.matcher(name).matches(),
				() -> "'%s' has the name '%s'. Use 1 to 64 of the characters A-Za-z0-9_.-".formatted(property, name));
	}

	/**
	 * Worker of this process.
	 *
	 * @param enabled Whether this process runs jobs. Without, it only enqueues.
	 * @param autoStartup Whether to start running jobs along with the application.
	 */
	record Worker(@DefaultValue("true") boolean enabled, @DefaultValue("true") boolean autoStartup) {

	}

	/**
	 * One queue.
	 *
	 * @param weight How often the queue is served, in proportion to the other weights of
	 * its capsule. 0 counts as 1.
	 */
	record Queue(@DefaultValue("1") int weight) {

		Queue {
			Assert.isTrue(weight >= 0, "'weight' must not be negative. The larger it is, the more often the queue is "
					+ "served; 1 is the least.");
		}

	}

	/**
	 * One capsule.
	 *
	 * @param concurrency Number of jobs run at the same time.
	 * @param queues Queues to serve, each with an optional weight as in 'critical,6'.
	 * @param order How workers are shared out among the queues.
	 */
	record Capsule(@DefaultValue("10") int concurrency, @DefaultValue List<String> queues,
			@DefaultValue("weighted") Order order) {

		Capsule {
			Assert.isTrue(concurrency > 0, "'concurrency' must be positive. To run no jobs in this process, set "
					+ "'steadyjobs.worker.enabled' to false.");
			Assert.isTrue(order != Order.STRICT || !queues.isEmpty(),
					"'order: strict' takes the order of 'queues', the most important first, and needs that list.");
			queues = QueueSpec.rejoin(queues);
			queues.forEach(QueueSpec::parse);
		}

	}

	/**
	 * Signs of life that this process gives.
	 *
	 * @param beat Time between two heartbeats.
	 */
	record Liveness(@DefaultValue("5s") Duration beat) {

		Liveness {
			Assert.isTrue(beat.toMillis() > 0, "'beat' must be positive");
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
			Assert.isTrue(max > 0, "'max' must be positive");
			Assert.isTrue(age.toMillis() > 0, "'age' must be positive");
		}

	}

	/**
	 * Retries of failed jobs.
	 *
	 * @param max Number of retries of a job that does not say so itself.
	 * @param backtrace Number of lines of the stack trace that are stored with a failed
	 * job.
	 */
	record Retry(@DefaultValue("25") int max, @DefaultValue("0") int backtrace) {

		Retry {
			Assert.isTrue(max >= 0, "'max' must not be negative. 0 makes a job dead when it fails first.");
			Assert.isTrue(backtrace >= 0, "'backtrace' must not be negative");
		}

	}

}

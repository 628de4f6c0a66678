package io.github.steadyjobs.boot;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.QueuePart;
import io.github.steadyjobs.redis.ServerVersion;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link JobsHealthIndicator}.
 */
@RedisTest
class JobsHealthIntegrationTests {

	private final TestRedis redis;

	private final ApplicationContextRunner runner;

	JobsHealthIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
					JobsAdminAutoConfiguration.class, JobsRecurringAutoConfiguration.class,
					JobsWorkerAutoConfiguration.class, JobsHealthAutoConfiguration.class))
			.withUserConfiguration(MailJobs.class)
			.withPropertyValues("spring.data.redis.url=" + redis.url(), "steadyjobs.prefix=" + redis.prefix());
	}

	@Test
	void healthWhenRedisAnswersIsUpWithServerWorkersAndQueues() {
		this.runner.run((context) -> {
			context.getBean(JobClient.class)
				.enqueue(JobRequest.of(MailJobs.class, MailJobs::send).after(Duration.ofDays(1)));
			Health health = context.getBean(JobsHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsOnly(
					Map.entry("redis", this.redis.connections().describe(this.redis.prefix())),
					Map.entry("workers", Map.of("default", "0 of 10 busy")), Map.entry("server", version().toString()),
					Map.entry("queues", Map.of("mail", Map.of("ready", 0L, "working", 0L, "scheduled", 1L, "retries",
							0L, "parked", 0L, "suspects", 0L, "dead", 0L))));
		});
	}

	@Test
	@DisplayName("SK-31: the health check reports pauses, and its status is UP")
	void healthWhenSomethingIsPausedTellsByWhomAndWhy() {
		this.runner.run((context) -> {
			JobPauses pauses = context.getBean(JobPauses.class);
			pauses.pauseJob("MailJobs.send", "ann", "Wrong letters");
			Health health = context.getBean(JobsHealthIndicator.class).health();
			pauses.resumeJob("MailJobs.send");
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).extractingByKey("paused")
				.asString()
				.matches("\\{job MailJobs.send=by ann since \\S+: Wrong letters}");
			assertThat(context.getBean(JobsHealthIndicator.class).health().getDetails()).doesNotContainKey("paused");
		});
	}

	@Test
	void healthWhenThereIsNoWorkerIsUpWithoutWorkers() {
		this.runner.withPropertyValues("steadyjobs.worker.enabled=false").run((context) -> {
			Health health = context.getBean(JobsHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsOnlyKeys("redis", "server", "queues");
		});
	}

	@ParameterizedTest
	@CsvSource({ "latency-limit=1ms, OUT_OF_SERVICE", "latency-limit=1h, UP", "latency-limits.mail=1ms, OUT_OF_SERVICE",
			"latency-limits.other=1ms, UP" })
	void healthWhenJobWaitsForLongerThanTheLimitIsOutOfService(String property, String status) {
		this.runner.withPropertyValues("steadyjobs.worker.enabled=false", "management.health.jobs." + property)
			.run((context) -> {
				assertJobWaits(context);
				Health health = context.getBean(JobsHealthIndicator.class).health();
				assertThat(health.getStatus()).isEqualTo(new Status(status));
				assertThat(health.getDetails()).containsKey("queues");
				if (!status.equals("UP")) {
					assertThat(health.getDetails()).extractingByKey("late", InstanceOfAssertFactories.MAP)
						.containsOnlyKeys("mail");
				}
			});
	}

	@Test
	void healthWhenQueueHasNoLimitOfItsOwnIsUpHoweverLongItsJobsWait() {
		this.runner
			.withPropertyValues("steadyjobs.worker.enabled=false", "management.health.jobs.latency-limit=1ms",
					"management.health.jobs.latency-limits.mail=0s")
			.run((context) -> {
				assertJobWaits(context);
				assertThat(context.getBean(JobsHealthIndicator.class).health().getStatus()).isEqualTo(Status.UP);
			});
	}

	@Test
	void healthWhenQueueIsPausedIsUpHoweverLongItsJobsWait() {
		this.runner.withPropertyValues("steadyjobs.worker.enabled=false", "management.health.jobs.latency-limit=1ms")
			.run((context) -> {
				assertJobWaits(context);
				context.getBean(JobPauses.class).pauseQueue("mail", "ada", "a test");
				assertThat(context.getBean(JobsHealthIndicator.class).health().getStatus()).isEqualTo(Status.UP);
			});
	}

	private void assertJobWaits(ApplicationContext context) {
		context.getBean(JobClient.class).enqueue(MailJobs.class, MailJobs::send);
		QueueMonitor monitor = context.getBean(QueueMonitor.class);
		await().until(() -> monitor.totals(List.of()).get("mail").latency().toMillis() > 1);
	}

	@ParameterizedTest
	@CsvSource({ "latency-limit=0s", "latency-limit=-1s", "latency-limits.mail=-1s" })
	void healthWhenLimitIsImpossibleRefusesToStart(String property) {
		this.runner.withPropertyValues("management.health.jobs." + property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(JobsPropertyException.class)
				.hasMessageContaining("management.health.jobs." + property.substring(0, property.indexOf('='))));
	}

	@ParameterizedTest
	@EnumSource
	void healthWhenKeyOfQueueHasWrongTypeIsDownWithItsName(QueuePart part) {
		this.runner.withPropertyValues("steadyjobs.worker.enabled=false").run((context) -> {
			context.getBean(JobClient.class).enqueue(MailJobs.class, MailJobs::send);
			assertDown(context.getBean(JobsHealthIndicator.class), this.redis.key("mail", part.text()));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "queues", "processes", "pauses" })
	void healthWhenKeyOutsideOfQueuesHasWrongTypeIsDownWithItsName(String name) {
		this.runner.withPropertyValues("steadyjobs.worker.enabled=false")
			.run((context) -> assertDown(context.getBean(JobsHealthIndicator.class), this.redis.prefix() + ":" + name));
	}

	private void assertDown(JobsHealthIndicator indicator, String key) {
		this.redis.template().delete(key);
		this.redis.template().opsForValue().set(key, "damaged");
		Health health = indicator.health();
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).extractingByKey("damaged", InstanceOfAssertFactories.MAP)
			.containsOnlyKeys(key)
			.allSatisfy((damaged, text) -> assertThat(text).asString().startsWith("is a string, must be a "));
	}

	@Test
	void healthWhenServerIsTooOldIsDownAndEnqueuingSaysTheSame() {
		ServerVersion version = version();
		try (TcpRelay relay = TcpRelay.to(this.redis)) {
			String text = version.product().toLowerCase() + "_version:" + version.version();
			String old = version.product().toLowerCase() + "_version:5" + version.version().substring(1);
			relay.rewriteReplies(text, old);
			String message = "%s 5%s is too old: Steady Jobs needs Redis 6.2 or Valkey".formatted(version.product(),
					version.version().substring(1));
			this.runner.withPropertyValues("spring.data.redis.url=" + relay.url()).run((context) -> {
				Health health = context.getBean(JobsHealthIndicator.class).health();
				assertThat(health.getStatus()).isEqualTo(Status.DOWN);
				assertThat(health.getDetails()).extractingByKey("error").asString().contains(message);
				assertThatExceptionOfType(JobStoreException.class)
					.isThrownBy(() -> context.getBean(JobClient.class).enqueue(MailJobs.class, MailJobs::send))
					.withMessage(message);
			});
		}
	}

	private ServerVersion version() {
		return new QueueMonitor(this.redis.connections(), this.redis.prefix()).serverVersion();
	}

	static class MailJobs {

		@Job(queue = "mail")
		void send() {
		}

	}

}

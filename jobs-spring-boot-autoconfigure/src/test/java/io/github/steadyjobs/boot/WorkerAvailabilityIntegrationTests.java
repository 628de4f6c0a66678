package io.github.steadyjobs.boot;

import java.time.Duration;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.DeadLimits;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.Capsule;
import io.github.steadyjobs.server.JobExecution;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.server.WorkerSettings;
import io.github.steadyjobs.server.WorkerSettings.Failures;
import io.github.steadyjobs.server.WorkerSettings.Liveness;
import io.github.steadyjobs.server.WorkerSettings.Oversight;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.TcpRelay;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link WorkerAvailability}, and for the health check in the same situations.
 */
class WorkerAvailabilityIntegrationTests {

	private static final Duration LONG = Duration.ofMinutes(2);

	@Test
	@DisplayName("A fetch loop without answers, while heartbeats are answered, breaks liveness until it gets an answer")
	void livenessWhenOnlyHeartbeatsAreAnsweredIsBrokenUntilFetchingIsToo() {
		try (OwnRedis redis = OwnRedis.start(); TcpRelay relay = TcpRelay.to(redis.redis())) {
			try (ConfigurableApplicationContext context = run(relay.url())) {
				work(context, "before");
				// The next claim is in the server's buffer, after the command that waits.
				await().until(() -> redis.redis()
					.template()
					.getClientList()
					.stream()
					.anyMatch((client) -> client.getFlags().contains("b") && client.getBufferLength() > 0));
				// Only claims have the name of the capsule as a separate argument.
				relay.swallowConnectionsOf("\r\nstuck\r\n");
				try (ConfigurableApplicationContext producer = run(redis.url(), "steadyjobs.worker.enabled=false")) {
					// This job is handed out by the claim that already waits in Redis.
					// The answer to the next claim, which assigns the second job to this
					// process, is lost, and the third job stays ready.
					producer.getBean(JobClient.class).enqueue(NotingJobs.class, (jobs) -> jobs.note("first"));
					context.getBean(Notes.class).await("before", "first");
					producer.getBean(JobClient.class).enqueue(NotingJobs.class, (jobs) -> jobs.note("claimed"));
					producer.getBean(JobClient.class).enqueue(NotingJobs.class, (jobs) -> jobs.note("ready"));
				}
				awaitLiveness(context, LivenessState.BROKEN);
				assertThat(context.getBean(Stalls.class).stalled).isEqualTo("stuck");
				assertThat(context.getBean(JobsHealthIndicator.class).health()).satisfies((health) -> {
					assertThat(health.getStatus()).isEqualTo(Status.DOWN);
					assertThat(health.getDetails()).extractingByKey("workers")
						.asString()
						.contains("stuck=stalled: has claimed and settled nothing");
				});
				relay.pass();
				awaitLiveness(context, LivenessState.CORRECT);
				awaitHealth(context, Status.UP);
				// The jobs may run in any order: a job that was claimed long ago is first
				// returned to the queue, because other processes may have it by now.
				Notes notes = context.getBean(Notes.class);
				notes.awaitSize(4);
				assertThat(notes.all()).containsExactlyInAnyOrder("before", "first", "claimed", "ready");
			}
		}
	}

	@Test
	@DisplayName("LK-38: an unavailable Redis does not affect the liveness of this process")
	void livenessWhenRedisIsAwayStaysCorrectAndHealthIsDown() {
		try (OwnRedis redis = OwnRedis.start(); TcpRelay relay = TcpRelay.to(redis.redis())) {
			try (ConfigurableApplicationContext context = run(relay.url())) {
				work(context, "before");
				relay.refuse();
				awaitHealth(context, Status.DOWN);
				// This is longer than a claim waits for an answer.
				await().pollDelay(Duration.ofSeconds(6)).atMost(LONG).until(() -> true);
				relay.pass();
				awaitHealth(context, Status.UP);
				work(context, "before", "after");
				assertThat(context.getBean(Stalls.class).stalled).isNull();
				assertThat(context.getBean(ApplicationAvailability.class).getLivenessState())
					.isEqualTo(LivenessState.CORRECT);
			}
		}
	}

	private static ConfigurableApplicationContext run(String url, String... properties) {
		return Applications.run(Impatient.class,
				StringUtils.concatenateStringArrays(properties, new String[] { "spring.data.redis.url=" + url,
						"steadyjobs.capsules.stuck.queues=default", "steadyjobs.capsules.stuck.concurrency=1" }));
	}

	private static void work(ConfigurableApplicationContext context, Object... texts) {
		String last = texts[texts.length - 1].toString();
		context.getBean(JobClient.class).enqueue(NotingJobs.class, (jobs) -> jobs.note(last));
		context.getBean(Notes.class).await(texts);
	}

	private static void awaitLiveness(ConfigurableApplicationContext context, LivenessState state) {
		ApplicationAvailability availability = context.getBean(ApplicationAvailability.class);
		await().atMost(LONG).until(() -> availability.getLivenessState() == state);
	}

	private static void awaitHealth(ConfigurableApplicationContext context, Status status) {
		JobsHealthIndicator health = context.getBean(JobsHealthIndicator.class);
		await().atMost(LONG).until(() -> health.health().getStatus().equals(status));
	}

	@Configuration(proxyBeanMethods = false)
	static class NotingJobs {

		private final Notes notes = new Notes();

		@Bean
		Notes notes() {
			return this.notes;
		}

		@Bean
		Stalls stalls() {
			return new Stalls();
		}

		@Job
		void note(String text) {
			this.notes.add(text);
		}

	}

	/**
	 * An application that detects a stall within seconds, but not before a claim has been
	 * sent again on another connection.
	 */
	@Configuration(proxyBeanMethods = false)
	@Import(NotingJobs.class)
	static class Impatient {

		@Bean
		@ConditionalOnBooleanProperty(name = "steadyjobs.worker.enabled", matchIfMissing = true)
		Launcher launcher(RedisConnections connections, JobsProperties properties, JobExecution execution,
				CapsulePlan plan) {
			Liveness liveness = new Liveness(Duration.ofMillis(200), Duration.ofSeconds(30), 3, Duration.ofSeconds(7));
			return new Launcher(connections, properties.prefix(), execution,
					() -> new WorkerSettings(plan.capsules(), Duration.ofSeconds(25), liveness,
							new DeadLimits(10, Duration.ofDays(1)), new Failures(25, 0), Capsule.Order.LAG,
							Oversight.NONE),
					Thread::new, true);
		}

	}

	static class Stalls {

		private volatile String stalled;

		@EventListener
		void stalled(WorkerEvent.Stalled event) {
			this.stalled = event.capsule();
		}

	}

}

package io.github.steadyjobs.boot;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.Recurring.Overlap;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.doctor.Check;
import io.github.steadyjobs.doctor.Doctor;
import io.github.steadyjobs.doctor.Finding;
import io.github.steadyjobs.doctor.Finding.Severity;
import io.github.steadyjobs.recurring.RecurringJob;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.recurring.RecurringState;
import io.github.steadyjobs.recurring.RecurringState.LastTick;
import io.github.steadyjobs.recurring.RecurringState.Status;
import io.github.steadyjobs.recurring.RecurringTick;
import io.github.steadyjobs.recurring.RecurringTick.Decision;
import io.github.steadyjobs.recurring.Schedule;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * Tests for recurring jobs in running applications.
 */
@RedisTest
class JobsRecurringIntegrationTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final TestRedis redis;

	private final Ticks ticks = new Ticks();

	private final ApplicationContextRunner runner;

	JobsRecurringIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
					JobsRecurringAutoConfiguration.class, JobsWorkerAutoConfiguration.class,
					JobsDoctorAutoConfiguration.class, JobsMetricsAutoConfiguration.class,
					JobsHealthAutoConfiguration.class))
			.withBean(Ticks.class, () -> this.ticks)
			.withPropertyValues("spring.data.redis.url=" + redis.url(), "steadyjobs.prefix=" + redis.prefix(),
					"spring.application.name=shop");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void tickRunsItsJobAndIsTold(boolean lazy) {
		this.runner.withInitializer((context) -> {
			if (lazy) {
				context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
			}
		}).withBean(EachSecond.class).run((context) -> {
			await().until(() -> this.ticks.runs.size() >= 2 && this.ticks.events.size() >= 2);
			RecurringTick tick = this.ticks.events.get(0);
			assertThat(tick.name()).isEqualTo("EachSecond.run");
			assertThat(tick.decision()).isEqualTo(Decision.ENQUEUED);
			assertThat(this.ticks.runs.get(0)).isEqualTo(tick.due().toString());
			await().until(() -> last(context, "EachSecond.run").map(LastTick::outcome)
				.filter(JobOutcome.DONE::equals)
				.isPresent());
			RecurringState state = context.getBean(RecurringJobs.class).list().get(0);
			assertThat(state.status()).isEqualTo(Status.ACTIVE);
			assertThat(state.next()).hasSize(5);
		});
	}

	@Test
	@DisplayName("A listener of the application that throws does not disable anything")
	void tickWhenListenersOfTheApplicationThrowRunsItsJob() {
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(Throwing.class)
			.withBean(EachSecond.class)
			.run((context) -> {
				await().until(() -> this.ticks.runs.size() >= 2);
				await().until(() -> context.getBean(MeterRegistry.class)
					.get("jobs.recurring.ticks")
					.tag("decision", "enqueued")
					.counter()
					.count() >= 2);
			});
	}

	@Test
	void tickWhenApplicationHasAClientOfItsOwnRunsItsJob() {
		this.runner.withBean(JobClient.class, () -> mock(JobClient.class))
			.withBean(EachSecond.class)
			.run((context) -> await().until(() -> !this.ticks.runs.isEmpty()));
	}

	@Test
	void scheduleWhenOverriddenOrSwitchedOffIsThatOfConfiguration() {
		this.runner.withBean(Hourly.class)
			.withPropertyValues("steadyjobs.recurring.Hourly.run.every=1s", "steadyjobs.recurring.yearly.cron=-")
			.run((context) -> {
				await().until(() -> !this.ticks.runs.isEmpty());
				assertThat(context.getBean(RecurringJobs.class).list()).extracting(RecurringState::name)
					.containsExactly("Hourly.run");
			});
	}

	@Test
	void tickThatWasMissedWhileTheApplicationWasDownIsMadeUpAtItsStart() {
		// The latest tick is always half an hour ago.
		ApplicationContextRunner application = this.runner.withBean(Hourly.class)
			.withPropertyValues("steadyjobs.recurring.Hourly.run.from="
					+ Instant.now().minus(Duration.ofMinutes(630)).truncatedTo(ChronoUnit.SECONDS));
		application.run(this::awaitDeclared);
		Instant next = makeDue("Hourly.run", HOUR.multipliedBy(3));
		application.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
			await().until(() -> !this.ticks.runs.isEmpty() && this.ticks.events.size() == 3);
			assertThat(this.ticks.events).extracting(RecurringTick::due)
				.containsExactlyInAnyOrder(next, next.plus(HOUR), next.plus(HOUR.multipliedBy(2)));
			assertThat(this.ticks.events).extracting(RecurringTick::decision)
				.containsExactlyInAnyOrder(Decision.SKIPPED, Decision.SKIPPED, Decision.MADE_UP);
			assertThat(this.ticks.runs).containsExactly(next.plus(HOUR.multipliedBy(2)).toString());
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			assertThat(count(meters, "skipped")).isEqualTo(2);
			assertThat(count(meters, "made_up")).isOne();
			assertThat(meters.get("jobs.recurring.lateness").tag("name", "Hourly.run").timer().count()).isOne();
			assertThat(meters.get("jobs.recurring.lateness").timer().max(TimeUnit.MINUTES)).isBetween(1.0, 60.0);
			assertThat(last(context, "Hourly.run").orElseThrow().decision()).isEqualTo(Decision.MADE_UP);
		});
	}

	@Test
	void tickOfTwoApplicationsOfOneNameRunsOnce() {
		ApplicationContextRunner application = this.runner.withBean(EachSecond.class);
		application.run((first) -> application
			.run((second) -> await().until(() -> this.ticks.runs.size() >= 3 && this.ticks.events.size() >= 3)));
		assertThat(this.ticks.runs).doesNotHaveDuplicates();
		assertThat(this.ticks.events).extracting(RecurringTick::due).doesNotHaveDuplicates();
		assertThat(this.ticks.events).extracting(RecurringTick::decision)
			.allMatch((decision) -> decision == Decision.ENQUEUED || decision == Decision.OVERLAPPED);
	}

	@Test
	void tickWhenOneMayWaitForTheRunOfAnotherRunsAfterIt() {
		Slow slow = new Slow(this.ticks);
		this.runner.withBean(Slow.class, () -> slow).run((context) -> {
			await().until(() -> this.ticks.events.size() >= 3);
			assertThat(this.ticks.events).extracting(RecurringTick::decision)
				.startsWith(Decision.ENQUEUED, Decision.QUEUED);
			assertThat(this.ticks.events.subList(1, 3)).extracting(RecurringTick::jobId)
				.containsOnly(this.ticks.events.get(0).jobId());
			assertThat(this.ticks.runs).hasSize(1);
			int before = this.ticks.events.size();
			slow.goOn.countDown();
			await().until(() -> this.ticks.runs.size() >= 2);
			assertThat(Instant.parse(this.ticks.runs.get(1))).isAfterOrEqualTo(this.ticks.events.get(before - 1).due());
		});
	}

	@Test
	void healthWhenTickIsLateIsOutOfServiceAndNamesIt() {
		this.runner.withBean(Hourly.class).run((context) -> {
			awaitDeclared(context);
			assertThat(health(context).getDetails()).doesNotContainKey("lateTicks");
			makeDue("yearly", Duration.ofMinutes(2));
			await().untilAsserted(() -> {
				Health health = health(context);
				assertThat(health.getStatus().getCode()).isEqualTo("OUT_OF_SERVICE");
				assertThat(health.getDetails()).extractingByKey("lateTicks", InstanceOfAssertFactories.MAP)
					.containsOnlyKeys("yearly")
					.extractingByKey("yearly")
					.asString()
					.matches("is late by 1\\d\\d s");
			});
			assertThat(findings(context)).singleElement()
				.satisfies((finding) -> assertThat(finding.problem())
					.matches("Recurring jobs that do not run: 'yearly' is late by 1\\d\\d s\\."));
		});
	}

	@Test
	void healthWhenTickMayBeLateForLongerIsUp() {
		this.runner.withBean(Hourly.class).withPropertyValues("steadyjobs.ticks.late-after=1h").run((context) -> {
			awaitDeclared(context);
			makeDue("yearly", Duration.ofMinutes(2));
			Health health = health(context);
			assertThat(health.getStatus().getCode()).isEqualTo("UP");
			assertThat(health.getDetails()).doesNotContainKey("lateTicks");
		});
	}

	@Test
	void healthWhenNobodyCanRunTheJobNamesItAndIsUp() {
		this.runner.withPropertyValues("steadyjobs.worker.enabled=false").run((context) -> {
			RecurringJobs jobs = context.getBean(RecurringJobs.class);
			jobs.create(RecurringJob.of("elsewhere", "Other.run", "default", Schedule.every(HOUR)));
			makeDue("elsewhere", Duration.ofMinutes(2));
			Health health = health(context);
			assertThat(health.getStatus().getCode()).isEqualTo("UP");
			assertThat(health.getDetails()).extractingByKey("lateTicks")
				.asString()
				.contains("is parked, because no living process has its job 'Other.run', and is late by 1");
			assertThat(health.getDetails()).extractingByKey("doctor").asString().contains("recurring=warn: ");
		});
	}

	@Test
	void doctorNamesWhatIsParkedAndPaused() {
		this.runner.withBean(Hourly.class).run((context) -> {
			awaitDeclared(context);
			assertThat(findings(context)).isEmpty();
			RecurringJobs jobs = context.getBean(RecurringJobs.class);
			jobs.pause("yearly", "ann", "The books are closed");
			await().untilAsserted(() -> assertThat(findings(context)).singleElement().satisfies((finding) -> {
				assertThat(finding.severity()).isEqualTo(Severity.INFO);
				assertThat(finding.problem())
					.matches(".*: 'yearly' is paused by ann since 20\\S+Z: The books are closed\\.");
			}));
			jobs.create(RecurringJob.of("elsewhere", "Other.run", "default", Schedule.every(HOUR)));
			await().untilAsserted(() -> assertThat(findings(context)).singleElement().satisfies((finding) -> {
				assertThat(finding.severity()).isEqualTo(Severity.WARN);
				assertThat(finding.problem())
					.contains("'elsewhere' is parked, because no living process has its job 'Other.run'; 'yearly' is ");
			}));
		});
	}

	@Test
	void doctorWhenCheckIsOffSaysNothing() {
		this.runner.withPropertyValues("steadyjobs.doctor.severity.recurring=off").run((context) -> {
			context.getBean(RecurringJobs.class)
				.create(RecurringJob.of("elsewhere", "Other.run", "default", Schedule.every(HOUR)));
			assertThat(findings(context)).isEmpty();
		});
	}

	private void awaitDeclared(ApplicationContext context) {
		await().until(() -> context.getBean(RecurringJobs.class)
			.list()
			.stream()
			.filter((state) -> state.status() == Status.ACTIVE)
			.count() == 2);
		await().until(() -> Objects.requireNonNullElse(this.redis.template().opsForZSet().size(ticksKey()), 0L) == 2);
	}

	/**
	 * Move the next tick back, so that it is due.
	 * @param ago how far to move it, in whole hours, for {@code Hourly.run}; for other
	 * jobs, how long ago it is due
	 * @return the new time of the tick
	 */
	private Instant makeDue(String name, Duration ago) {
		double next = Objects.requireNonNull(this.redis.template().opsForZSet().score(ticksKey(), name));
		double due = name.equals("Hourly.run") ? next - ago.toMillis() : Instant.now().minus(ago).toEpochMilli();
		this.redis.template().opsForZSet().add(ticksKey(), name, due);
		return Instant.ofEpochMilli((long) due);
	}

	private String ticksKey() {
		return this.redis.key("default", "ticks");
	}

	private static Optional<LastTick> last(ApplicationContext context, String name) {
		return context.getBean(RecurringJobs.class).find(name).map(RecurringState::last);
	}

	private static double count(MeterRegistry meters, String decision) {
		return meters.get("jobs.recurring.ticks").tag("name", "Hourly.run").tag("decision", decision).counter().count();
	}

	private static Health health(ApplicationContext context) {
		return Objects.requireNonNull(context.getBean(JobsHealthIndicator.class).health());
	}

	private static List<Finding> findings(ApplicationContext context) {
		return context.getBean(Doctor.class)
			.examine()
			.stream()
			.filter((finding) -> finding.check() == Check.RECURRING)
			.toList();
	}

	/**
	 * Records what happened to ticks.
	 */
	static class Ticks {

		final List<RecurringTick> events = new CopyOnWriteArrayList<>();

		final List<String> runs = new CopyOnWriteArrayList<>();

		@EventListener
		void on(RecurringTick tick) {
			this.events.add(tick);
		}

		void run(JobContext context) {
			this.runs.add(context.meta().getOrDefault(RecurringJob.META_DUE, "unknown"));
		}

	}

	@NotIdempotent("a test")
	static class EachSecond {

		private final Ticks ticks;

		EachSecond(Ticks ticks) {
			this.ticks = ticks;
		}

		@Job
		@Recurring(every = "1s")
		void run(JobContext context) {
			this.ticks.run(context);
		}

	}

	@NotIdempotent("a test")
	static class Slow {

		private final Ticks ticks;

		final CountDownLatch goOn = new CountDownLatch(1);

		Slow(Ticks ticks) {
			this.ticks = ticks;
		}

		@Job
		@Recurring(every = "1s", overlap = Overlap.QUEUE_ONE)
		void run(JobContext context) throws InterruptedException {
			this.ticks.run(context);
			this.goOn.await();
		}

	}

	@NotIdempotent("a test")
	static class Hourly {

		private final Ticks ticks;

		Hourly(Ticks ticks) {
			this.ticks = ticks;
		}

		@Job
		@Recurring(every = "1h")
		void run(JobContext context) {
			this.ticks.run(context);
		}

		@Job
		@Recurring(name = "yearly", cron = "0 0 0 1 1 *")
		void close(JobContext context) {
			this.ticks.run(context);
		}

	}

	/**
	 * A listener that is called before all others, and throws.
	 */
	static class Throwing {

		@EventListener
		@Order(Ordered.HIGHEST_PRECEDENCE)
		void told(WorkerEvent event) {
			throw new IllegalStateException("pretended by a listener of " + event);
		}

		@EventListener
		@Order(Ordered.HIGHEST_PRECEDENCE)
		void told(RecurringTick event) {
			throw new IllegalStateException("pretended by a listener of " + event);
		}

	}

}

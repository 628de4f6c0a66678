package io.github.steadyjobs.boot;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.admin.JobHistory;
import io.github.steadyjobs.admin.JobHistory.Mark;
import io.github.steadyjobs.admin.JobHistory.OfJob;
import io.github.steadyjobs.admin.RunHistory;
import io.github.steadyjobs.admin.RunTotals;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the history that an application writes.
 */
@RedisTest
class JobsHistoryIntegrationTests {

	private final TestRedis redis;

	private final JobHistory history;

	private final CountedJobs jobs = new CountedJobs();

	private final ApplicationContextRunner runner;

	JobsHistoryIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.history = new JobHistory(redis.connections(), redis.prefix());
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
					JobsWorkerAutoConfiguration.class, JobsHistoryAutoConfiguration.class))
			.withBean(CountedJobs.class, () -> this.jobs)
			.withPropertyValues("spring.data.redis.url=" + redis.url(), "steadyjobs.prefix=" + redis.prefix(),
					"steadyjobs.liveness.beat=50ms", "steadyjobs.liveness.death-after=10s");
	}

	@BeforeEach
	void clear() {
		this.redis.clear();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	@DisplayName("SK-41: runs are counted outside everything that may fail")
	void runsAreInHistoryWhenTheWorkersHaveStopped(boolean lazily) {
		Instant start = Instant.now();
		this.runner.withInitializer((context) -> initializeLazily(context, lazily)).run((context) -> {
			JobClient client = context.getBean(JobClient.class);
			client.enqueue(CountedJobs.class, CountedJobs::work);
			client.enqueue(JobRequest.of(CountedJobs.class, CountedJobs::fail).retries(0));
			client.enqueue(JobRequest.of(CountedJobs.class, CountedJobs::fail).retries(1));
			assertThat(this.jobs.ran.await(30, TimeUnit.SECONDS)).isTrue();
			context.stop();
		});
		assertThat(this.history.names(start, Instant.now()))
			.extracting(OfJob::name, (job) -> job.totals().runs(), (job) -> job.totals().failed(),
					(job) -> job.totals().dead(), (job) -> job.totals().begun())
			.containsExactlyInAnyOrder(tuple("CountedJobs.work", 1L, 0L, 0L, 1L),
					tuple("CountedJobs.fail", 2L, 2L, 1L, 2L));
		LocalDate day = start.atOffset(ZoneOffset.UTC).toLocalDate();
		assertThat(this.history.days(day, day.plusDays(1)).values()).extracting(RunTotals::runs).containsExactly(3L);
	}

	@Test
	void historyWhenSwitchedOffIsNotWrittenAndCanStillBeRead() {
		this.runner.withPropertyValues("steadyjobs.history.enabled=false", "steadyjobs.history.deploy-label=shop 1.0")
			.run((context) -> {
				assertThat(context).doesNotHaveBean(RunHistory.class).hasSingleBean(JobHistory.class);
				JobClient client = context.getBean(JobClient.class);
				for (int i = 0; i < 3; i++) {
					client.enqueue(CountedJobs.class, CountedJobs::work);
				}
				assertThat(this.jobs.ran.await(30, TimeUnit.SECONDS)).isTrue();
				context.stop();
			});
		assertThat(this.redis.contents().keySet()).noneMatch((key) -> key.contains("history") || key.contains("marks"));
	}

	@Test
	void beansWhenWorkerIsOffOnlyRead() {
		this.runner.withPropertyValues("steadyjobs.worker.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(JobHistory.class)
				.doesNotHaveBean(RunHistory.class)
				.doesNotHaveBean(DeployMark.class));
	}

	@Test
	void versionIsMarkedOnceByWhicheverProcessRunsItFirst() {
		Instant start = Instant.now();
		ApplicationContextRunner shop = this.runner.withPropertyValues("spring.application.name=shop");
		shop.withPropertyValues("spring.application.version=1.0")
			.run((first) -> shop.withPropertyValues("spring.application.version=1.0").run((second) -> {
				awaitMarks(start, "shop 1.0");
				shop.withPropertyValues("spring.application.version=1.1")
					.run((next) -> awaitMarks(start, "shop 1.0", "shop 1.1"));
			}));
		shop.withPropertyValues("spring.application.version=1.1", "steadyjobs.history.deploy-label=")
			.run((context) -> assertThat(context).hasNotFailed());
		awaitMarks(start, "shop 1.0", "shop 1.1");
	}

	private void awaitMarks(Instant start, String... labels) {
		await().atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(
					this.history.marks(start.minusSeconds(1), Instant.now().plusSeconds(1)).stream().map(Mark::label))
				.containsExactly(labels));
	}

	private static void initializeLazily(ConfigurableApplicationContext context, boolean lazily) {
		if (lazily) {
			context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
		}
	}

	static class CountedJobs {

		private final CountDownLatch ran = new CountDownLatch(3);

		@Job
		public void work() {
			this.ran.countDown();
		}

		@Job
		public void fail() {
			this.ran.countDown();
			throw new IllegalStateException("on purpose");
		}

	}

}

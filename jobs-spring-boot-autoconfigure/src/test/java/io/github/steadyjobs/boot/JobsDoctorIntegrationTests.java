package io.github.steadyjobs.boot;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.doctor.Doctor;
import io.github.steadyjobs.doctor.Examinations;
import io.github.steadyjobs.recurring.RecurringJob;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.recurring.Schedule;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.RedisUser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the doctor in an application: what it reports at start-up and in the health
 * endpoint.
 */
@ExtendWith(OutputCaptureExtension.class)
class JobsDoctorIntegrationTests {

	private static final String UNKNOWN = "(steadyjobs.doctor.severity.unknown-jobs)";

	private final OwnRedis redis = OwnRedis.startDurable();

	@AfterEach
	void close() {
		this.redis.close();
	}

	@Test
	void runWhenPolicyEvictsLogsItOnceAndHealthIsDown(CapturedOutput output) {
		this.redis.configure("maxmemory-policy", "allkeys-lru");
		try (ConfigurableApplicationContext context = run()) {
			await().until(() -> output.getAll().contains("(steadyjobs.doctor.severity.eviction)"));
			Health health = context.getBean(JobsHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.DOWN);
			assertThat(findings(health)).containsOnlyKeys("eviction")
				.extractingByKey("eviction")
				.asString()
				.startsWith("error: Redis has 'maxmemory-policy allkeys-lru'")
				.contains("Set 'maxmemory-policy noeviction'");
			this.redis.configure("maxmemory-policy", "noeviction");
			assertThat(context.getBean(JobsHealthIndicator.class).health().getStatus()).isEqualTo(Status.UP);
		}
		assertThat(output.getAll()).containsOnlyOnce("(steadyjobs.doctor.severity.eviction)");
	}

	@Test
	void runWhenSeverityIsFailRefusesToStartAndSaysWhatToDo(CapturedOutput output) {
		this.redis.configure("maxmemory-policy", "allkeys-lru");
		assertThatException().isThrownBy(() -> run("steadyjobs.doctor.severity.eviction=fail").close());
		assertThat(output.getOut().replaceAll("\\s+", " "))
			.contains("Description: The Redis at 127.0.0.1:%d, database 0, prefix '%s' is not fit for jobs: "
				.formatted(this.redis.port(), this.redis.redis().prefix())
					+ "Redis has 'maxmemory-policy allkeys-lru' and drops keys")
			.contains("Action: Set 'maxmemory-policy noeviction', and give caches a Redis of their own. "
					+ "Or let the application start all the same: 'steadyjobs.doctor.severity.eviction=error'.")
			.doesNotContain("Workers started");
	}

	@Test
	void runWhenPersistenceIsOffWarnsAndHealthIsUp(CapturedOutput output) {
		this.redis.configure("appendonly", "no");
		try (ConfigurableApplicationContext context = run()) {
			await().until(() -> output.getAll().contains("(steadyjobs.doctor.severity.persistence)"));
			Health health = context.getBean(JobsHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(findings(health)).extractingByKey("persistence")
				.asString()
				.startsWith("warn: Redis has no append-only file");
		}
	}

	@Test
	void runWhenAJobIsPausedSaysSoAndHealthIsUp(CapturedOutput output) {
		try (ConfigurableApplicationContext context = run()) {
			context.getBean(JobPauses.class).pauseJob("Jobs.send", "ann", "Wrong letters");
			Health health = context.getBean(JobsHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(findings(health)).containsOnlyKeys("pauses")
				.extractingByKey("pauses")
				.asString()
				.startsWith("info: These pauses keep jobs waiting: job Jobs.send (by ann since ");
		}
		assertThat(output.getAll()).containsOnlyOnce("(steadyjobs.doctor.severity.pauses)");
	}

	@Test
	void runWhenNoBeanHasStoredJobsNamesThemOnce(CapturedOutput output) {
		enqueue(JobRequest.named("Old.parked"), JobRequest.named("Old.parked"), JobRequest.named("Jobs.send"),
				JobRequest.named("Old.later").at(Instant.now().plus(Duration.ofHours(1))),
				JobRequest.named("Other.work").queue("elsewhere"));
		try (ConfigurableApplicationContext context = run()) {
			await().until(() -> output.getAll().contains(UNKNOWN));
			Health health = context.getBean(JobsHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(findings(health)).containsOnlyKeys("unknown-jobs")
				.extractingByKey("unknown-jobs")
				.asString()
				.startsWith("warn: Stored jobs that no bean of this application can run")
				.contains("first 200 scheduled, ready, running and parked jobs")
				.contains(": 'Old.later' in queue 'default' (1), 'Old.parked' in queue 'default' (2). Such jobs are");
		}
		assertThat(output.getAll()).containsOnlyOnce(UNKNOWN);
	}

	@Test
	void runWhenThereAreManyUnknownJobsNamesSomeOfTheFirst(CapturedOutput output) {
		Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
		enqueue(IntStream.range(0, 250)
			.mapToObj((i) -> JobRequest.named("Old.job" + (100 + i)).at(tomorrow.plusMillis(i)))
			.toArray(JobRequest[]::new));
		try (ConfigurableApplicationContext context = run()) {
			await().until(() -> output.getAll().contains(UNKNOWN));
			assertThat(findings(context.getBean(JobsHealthIndicator.class).health()).get("unknown-jobs"))
				.contains("'Old.job100' in queue 'default' (1)", "'Old.job119'", " and 180 more names.")
				.doesNotContain("'Old.job120'");
		}
	}

	@Test
	void runWhenRedisComesLaterNamesUnknownJobsThen(CapturedOutput output) {
		enqueue(JobRequest.named("Old.later").at(Instant.now().plus(Duration.ofHours(1))));
		this.redis.kill();
		try (ConfigurableApplicationContext context = run()) {
			assertThat(context.isRunning()).isTrue();
			this.redis.restart();
			await().atMost(Duration.ofSeconds(30)).until(() -> output.getAll().contains(UNKNOWN));
		}
	}

	private void enqueue(JobRequest... requests) {
		try (ConfigurableApplicationContext context = run("steadyjobs.worker.enabled=false")) {
			context.getBean(JobClient.class).enqueueAll(List.of(requests));
			assertThat(findings(context.getBean(JobsHealthIndicator.class).health())).isEmpty();
		}
	}

	@Test
	void runWhenUserHasTheRuleOfTheDocumentFindsNothing() {
		try (RedisUser user = RedisUser.create(this.redis, "jobs");
				ConfigurableApplicationContext context = runAt(user.url())) {
			Health health = context.getBean(JobsHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(findings(health)).isEmpty();
			assertThat(user.denials()).isEmpty();
		}
	}

	@Test
	void runWhenApplicationOnlyEnqueuesNeedsTheRuleOfTheProducer() {
		try (ConfigurableApplicationContext context = run()) {
			context.getBean(RecurringJobs.class)
				.create(RecurringJob.of("r", "Elsewhere.run", "mail", Schedule.every(Duration.ofHours(1))));
		}
		try (RedisUser user = RedisUser.create(this.redis, "shop");
				ConfigurableApplicationContext context = runAt(user.url(), "steadyjobs.worker.enabled=false")) {
			Health health = context.getBean(JobsHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(findings(health)).containsOnlyKeys("recurring");
			assertThat(user.denials()).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "-smembers", "resetkeys" })
	void runWhenPermissionIsMissingHealthIsDownAndNamesTheRule(String change) {
		try (RedisUser user = RedisUser.create(this.redis, "jobs")) {
			user.change(change);
			try (ConfigurableApplicationContext context = runAt(user.url())) {
				Health health = context.getBean(JobsHealthIndicator.class).health();
				assertThat(health.getStatus()).isEqualTo(Status.DOWN);
				assertThat(health.getDetails()).extractingByKey("error")
					.asString()
					.contains("The user of Redis lacks a permission",
							"ACL SETUSER <user> ~<steadyjobs.prefix>:* +blpop");
				assertThat(findings(health)).isEmpty();
			}
		}
	}

	@Test
	void runWhenApplicationOnlyEnqueuesHealthTellsOfLostData() {
		try (ConfigurableApplicationContext context = Applications.run(ProducerInAHurry.class,
				"spring.data.redis.url=" + this.redis.url(), "steadyjobs.prefix=" + this.redis.redis().prefix())) {
			await().until(() -> {
				this.redis.redis().clear();
				context.getBean(JobClient.class).enqueue(JobRequest.named("a"));
				Health health = context.getBean(JobsHealthIndicator.class).health();
				return Map.of("default", "everything").equals(health.getDetails().get("dataLost"));
			});
		}
	}

	@Test
	void runWhenSwitchedOffHasNoDoctor() {
		try (ConfigurableApplicationContext context = run("steadyjobs.doctor.enabled=false")) {
			assertThat(context.getBeanNamesForType(Doctor.class)).isEmpty();
			assertThat(context.getBeanNamesForType(Examinations.class)).isEmpty();
			assertThat(context.getBean(JobsHealthIndicator.class).health().getDetails()).doesNotContainKey("doctor");
		}
	}

	@Test
	void runWhenBeansAreLazyExaminesNevertheless() {
		try (ConfigurableApplicationContext context = run("spring.main.lazy-initialization=true")) {
			assertThat(context.getBeanFactory().containsSingleton("steadyJobsExaminations")).isTrue();
		}
	}

	@Test
	void runWhenRedisIsEmbeddedDoesNotAskForPersistence() {
		try (ConfigurableApplicationContext context = Applications.run(Jobs.class,
				"steadyjobs.prefix=" + this.redis.redis().prefix())) {
			assertThat(context.containsBean("embeddedRedisConnectionDetails")).isTrue();
			assertThat(findings(context.getBean(JobsHealthIndicator.class).health())).doesNotContainKey("persistence");
		}
	}

	@Test
	void runWhenOnlyOtherDataAreInTheEmbeddedRedisAsksForPersistence() {
		this.redis.configure("appendonly", "no");
		try (ConfigurableApplicationContext context = Applications.run(OwnRedisForJobs.class,
				"jobs.redis.url=" + this.redis.url())) {
			assertThat(context.containsBean("embeddedRedisConnectionDetails")).isTrue();
			assertThat(findings(context.getBean(JobsHealthIndicator.class).health())).containsKey("persistence");
		}
	}

	private ConfigurableApplicationContext run(String... properties) {
		return runAt(this.redis.url(), properties);
	}

	/**
	 * Run an application without the checks whose findings depend on the machine and its
	 * load.
	 */
	private ConfigurableApplicationContext runAt(String url, String... properties) {
		Stream<String> common = Stream.of("spring.data.redis.url=" + url,
				"steadyjobs.prefix=" + this.redis.redis().prefix(), "steadyjobs.doctor.severity.round-trip=off",
				"steadyjobs.doctor.severity.memory=off");
		return Applications.run(Jobs.class, Stream.concat(common, Stream.of(properties)).toArray(String[]::new));
	}

	@SuppressWarnings("unchecked")
	private static Map<String, String> findings(Health health) {
		return (Map<String, String>) health.getDetails().get("doctor");
	}

	@Configuration(proxyBeanMethods = false)
	static class Jobs {

		@Job
		void send() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnRedisForJobs extends Jobs {

		@Bean(defaultCandidate = false)
		@JobsRedisConnectionFactory
		LettuceConnectionFactory jobsRedis(@Value("${jobs.redis.url}") String url) {
			return new LettuceConnectionFactory(LettuceConnectionFactory.createRedisConfiguration(url));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ProducerInAHurry {

		@Bean
		Examinations examinations(Doctor doctor) {
			return new Examinations(doctor, Duration.ofMillis(1));
		}

	}

}

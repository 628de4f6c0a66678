package io.github.steadyjobs.sidekiq;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.audit.JobAudit;
import io.github.steadyjobs.support.OwnRedis;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests with the real gem: its client enqueues jobs that run here, and its server
 * performs jobs that are enqueued here. These tests run only with the Maven profile
 * {@code ruby}, and fail if Ruby with the gem is not installed.
 */
@Tag("ruby")
class RubyIntegrationTests {

	private static OwnRedis server;

	private final StringRedisTemplate redis = server.redis().template();

	@BeforeAll
	static void startRedis() {
		server = OwnRedis.start();
	}

	@AfterAll
	static void stopRedis() {
		server.close();
	}

	@BeforeEach
	void clear() {
		this.redis.delete(this.redis.keys("*"));
	}

	@Test
	void jobsOfARubyClientRunHereOnceEach() {
		List<String> jids = new ArrayList<>(Ruby.enqueue(url(), "async", 3));
		jids.addAll(Ruby.enqueue(url(), "in", 2));
		List<String> later = Ruby.enqueue(url(), "later", 1);
		try (ConfigurableApplicationContext application = start()) {
			jids.addAll(Ruby.enqueue(url(), "bulk", 2500));
			Queue<Run> runs = application.getBean(RubyJobs.class).runs;
			await().until(() -> runs.size() >= jids.size());
			assertThat(runs).extracting(Run::jid).containsExactlyInAnyOrderElementsOf(jids);
			assertThat(runs.stream().filter((run) -> run.nested != null)).hasSize(3).allSatisfy((run) -> {
				assertThat(run.text).isEqualTo("text ü €");
				assertThat(run.nested).isEqualTo(Map.of("nested", List.of(1.5, 2.5)));
			});
			assertThat(runs.stream().filter((run) -> "later".equals(run.text))).extracting(Run::number)
				.containsExactlyInAnyOrder(0, 1);
		}
		assertThat(this.redis.opsForZSet().range("schedule", 0, -1)).singleElement().asString().contains(later.get(0));
		assertThat(this.redis.keys("steadyjobs:sidekiq:*")).isEmpty();
		assertThat(new JobAudit(server.redis().connections(), "steadyjobs").run().violations()).isEmpty();
	}

	@Test
	void jobThatFailedInRubyGoesOnHere() {
		String jid = Ruby.enqueue(url(), "failing", 1).get(0);
		try (Ruby ruby = Ruby.perform(url())) {
			await().until(() -> this.redis.opsForZSet().size("retry") == 1);
		}
		String element = this.redis.opsForZSet().range("retry", 0, -1).iterator().next();
		this.redis.opsForZSet().add("retry", element, Instant.now().getEpochSecond() - 1);
		try (ConfigurableApplicationContext application = start()) {
			Queue<Run> runs = application.getBean(RubyJobs.class).runs;
			await().until(() -> !runs.isEmpty());
			assertThat(runs).singleElement().satisfies((run) -> {
				assertThat(run.jid).isEqualTo(jid);
				assertThat(run.attempt).isEqualTo(2);
			});
		}
		assertThat(this.redis.opsForZSet().size("retry")).isZero();
	}

	@Test
	void jobsOfTheClientArePerformedByARubyServer() {
		List<String> jids = new ArrayList<>();
		try (ConfigurableApplicationContext application = start()) {
			SidekiqClient client = application.getBean(SidekiqClient.class);
			SidekiqJob job = SidekiqJob.of("HardWorker", 7, "ü €", Map.of("nested", List.of(1.5)), null).queue("hard");
			// Stop the bridge before any job is enqueued. Otherwise, the bridge would
			// take the jobs back.
			application.getBean(SidekiqBridge.class).stop();
			jids.add(client.enqueue(job));
			jids.add(client.enqueue(job.at(Instant.now().plusSeconds(1))));
			jids.addAll(client.enqueueAll(
					IntStream.range(0, 500).mapToObj((i) -> SidekiqJob.of("HardWorker", i).queue("hard")).toList()));
		}
		try (Ruby ruby = Ruby.perform(url())) {
			await().until(() -> this.redis.opsForList().size("performed") == jids.size());
		}
		List<JsonNode> performed = this.redis.opsForList()
			.range("performed", 0, -1)
			.stream()
			.map(SidekiqFixture.MAPPER::readTree)
			.toList();
		assertThat(performed.stream().map((job) -> job.path("jid").asString()))
			.containsExactlyInAnyOrderElementsOf(jids);
		assertThat(performed.stream().filter((job) -> job.path("jid").asString().equals(jids.get(0)))).singleElement()
			.asString()
			.contains("[7,\"ü €\",{\"nested\":[1.5]},null]");
		assertThat(this.redis.opsForSet().members("queues")).containsExactly("hard");
	}

	private static String url() {
		return server.url();
	}

	private static ConfigurableApplicationContext start() {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setRegisterShutdownHook(false);
		return application.run("--spring.data.redis.url=" + url(), "--steadyjobs.sidekiq.queues.hard=mail",
				"--steadyjobs.sidekiq.jobs[Invoices::SendJob]=InvoiceJobs.send",
				"--steadyjobs.sidekiq.poll-interval=50ms");
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
	}

	record Run(String jid, int number, String text, Map<String, List<Double>> nested, int attempt) {

	}

	static class RubyJobs {

		private final Queue<Run> runs = new ConcurrentLinkedQueue<>();

		@Job(name = "HardWorker", queue = "mail")
		@NotIdempotent("the test counts the runs")
		void perform(int number, String text, Map<String, List<Double>> nested, JobContext job) {
			this.runs.add(new Run(job.meta().get("sidekiq_jid"), number, text, nested, job.attempt()));
		}

		@Job(name = "InvoiceJobs.send", queue = "mail")
		@NotIdempotent("the test counts the runs")
		void send(int number, JobContext job) {
			this.runs.add(new Run(job.meta().get("sidekiq_jid"), number, null, null, job.attempt()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		RubyJobs rubyJobs() {
			return new RubyJobs();
		}

	}

}

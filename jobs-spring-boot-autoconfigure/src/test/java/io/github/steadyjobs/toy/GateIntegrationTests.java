package io.github.steadyjobs.toy;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobDetails;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.audit.JobAudit;
import io.github.steadyjobs.gate.Gate;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link Gate}: a gate that uses only public parts of the engine holds back
 * every job with an odd id until the gate is opened.
 */
@RedisTest
class GateIntegrationTests {

	private final TestRedis redis;

	GateIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	void jobsAreHeldBackUntilTheGateOpens() {
		try (ConfigurableApplicationContext application = run()) {
			List<String> ids = enqueue(application, 40);
			List<String> odd = ids.stream().filter(OddIds::isOdd).toList();
			List<String> even = ids.stream().filter((id) -> !OddIds.isOdd(id)).toList();
			Numbers jobs = application.getBean(Numbers.class);
			JobAdmin admin = application.getBean(JobAdmin.class);
			await().untilAsserted(() -> assertThat(jobs.ran).containsExactlyInAnyOrderElementsOf(even));
			await().until(
					() -> odd.stream().allMatch((id) -> admin.find(id).orElseThrow().job().place() == JobPlace.PARKED));
			JobDetails held = admin.find(odd.get(0)).orElseThrow();
			assertThat(held.reason()).isEqualTo(JobDetails.Reason.HELD_BACK);
			assertThat(held.explanation()).contains("odd:ids");
			OddIds gate = application.getBean(OddIds.class);
			assertThat(gate.ended).isEmpty();
			gate.letThrough();
			await().untilAsserted(() -> assertThat(jobs.ran).containsExactlyInAnyOrderElementsOf(ids));
			await().untilAsserted(() -> assertThat(gate.ended).hasSameSizeAs(odd).containsOnly(JobOutcome.DONE));
			assertThat(application.getBean(JobAudit.class).run().violations()).isEmpty();
		}
	}

	@Test
	void jobsThatWereParkedGoOnInAProcessWhoseGateIsOpen() {
		List<String> ids;
		try (ConfigurableApplicationContext application = run()) {
			ids = enqueue(application, 20);
			JobAdmin admin = application.getBean(JobAdmin.class);
			await().until(() -> ids.stream()
				.filter(OddIds::isOdd)
				.allMatch((id) -> admin.find(id).orElseThrow().job().place() == JobPlace.PARKED));
		}
		try (ConfigurableApplicationContext application = run("toy.open=true")) {
			Numbers jobs = application.getBean(Numbers.class);
			await().untilAsserted(() -> assertThat(jobs.ran).containsAll(ids.stream().filter(OddIds::isOdd).toList()));
		}
	}

	private ConfigurableApplicationContext run(String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.addAll(List.of("spring.data.redis.url=" + this.redis.url(), "steadyjobs.prefix=" + this.redis.prefix()));
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.run(all.stream().map((property) -> "--" + property).toArray(String[]::new));
	}

	private static List<String> enqueue(ConfigurableApplicationContext application, int count) {
		return application.getBean(JobClient.class)
			.enqueueAll(IntStream.range(0, count)
				.mapToObj((number) -> JobRequest.of(Numbers.class, (numbers) -> numbers.count(number, null)))
				.toList())
			.stream()
			.map(EnqueueResult::id)
			.toList();
	}

	/**
	 * Holds back every job with an odd id.
	 */
	static final class OddIds implements Gate {

		private static final String REASON = "odd:ids";

		private final Queue<JobOutcome> ended = new ConcurrentLinkedQueue<>();

		private volatile boolean open;

		private volatile @Nullable Worker worker;

		OddIds(boolean open) {
			this.open = open;
		}

		static boolean isOdd(String id) {
			return Character.digit(id.charAt(id.length() - 1), 16) % 2 == 1;
		}

		void letThrough() {
			this.open = true;
			this.worker.opened();
		}

		@Override
		public @Nullable Hold holdsBack(Candidate job) {
			return (isOdd(job.id()) && !this.open) ? new Hold(REASON) : null;
		}

		@Override
		public void ended(Candidate job, JobOutcome outcome) {
			if (isOdd(job.id())) {
				this.ended.add(outcome);
			}
		}

		@Override
		public Set<String> open() {
			return this.open ? Set.of(REASON) : Set.of();
		}

		Gate ofWorker(Worker worker) {
			this.worker = worker;
			return this;
		}

	}

	static class Numbers {

		private final Queue<String> ran = new ConcurrentLinkedQueue<>();

		@Job(queue = "numbers")
		@NotIdempotent("a test")
		void count(int number, JobContext job) {
			this.ran.add(job.id());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Numbers numbers() {
			return new Numbers();
		}

		@Bean
		OddIds oddIds(@Value("${toy.open:false}") boolean open) {
			return new OddIds(open);
		}

		@Bean
		Gate.Maker gate(OddIds oddIds) {
			return oddIds::ofWorker;
		}

	}

}

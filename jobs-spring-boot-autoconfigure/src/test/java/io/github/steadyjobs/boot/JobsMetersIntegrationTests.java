package io.github.steadyjobs.boot;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.BulkEnqueueException;
import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.EnqueueListener;
import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.PayloadTooLargeException;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.observation.EnqueueMetrics;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the meters of an application with a registry.
 */
@RedisTest
class JobsMetersIntegrationTests {

	private final TestRedis redis;

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private final MeteredJobs jobs = new MeteredJobs();

	private final ApplicationContextRunner runner;

	JobsMetersIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, MetricsAutoConfiguration.class,
					JobsAutoConfiguration.class, JobsAdminAutoConfiguration.class, JobsWorkerAutoConfiguration.class,
					JobsMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, () -> this.registry)
			.withBean(MeteredJobs.class, () -> this.jobs)
			.withPropertyValues("spring.data.redis.url=" + redis.url(), "steadyjobs.prefix=" + redis.prefix());
	}

	@Test
	void runsAreTimedByJobQueueAndOutcome() {
		ServerInterceptor skipping = (job, chain) -> {
			if (!job.tags().contains("skip")) {
				chain.proceed();
			}
		};
		this.runner.withBean(ServerInterceptor.class, () -> skipping).run((context) -> {
			JobClient client = context.getBean(JobClient.class);
			client.enqueue(MeteredJobs.class, MeteredJobs::work);
			client.enqueue(JobRequest.of(MeteredJobs.class, MeteredJobs::work).tags("skip"));
			client.enqueue(JobRequest.of(MeteredJobs.class, MeteredJobs::fail));
			client.enqueue(JobRequest.of(MeteredJobs.class, MeteredJobs::fail).retries(0));
			awaitMeters("jobs.run", "job=MeteredJobs.fail,outcome=dead,queue=default",
					"job=MeteredJobs.fail,outcome=retry,queue=default", "job=MeteredJobs.work,outcome=done,queue=mail",
					"job=MeteredJobs.work,outcome=skipped,queue=mail");
			assertThat(this.registry.get("jobs.run").tag("outcome", "done").timer().count()).isEqualTo(1);
		});
	}

	@Test
	void runsThatAShutdownCutsShortAreTimedAsReleased() {
		this.runner.withPropertyValues("steadyjobs.shutdown-timeout=0s").run((context) -> {
			context.getBean(JobClient.class).enqueue(MeteredJobs.class, MeteredJobs::hold);
			assertThat(this.jobs.running.await(30, TimeUnit.SECONDS)).isTrue();
			context.stop();
			awaitMeters("jobs.run", "job=MeteredJobs.hold,outcome=released,queue=mail");
		});
	}

	@Test
	void waitsAreTimedByQueue() {
		this.runner.run((context) -> {
			context.getBean(JobClient.class).enqueue(MeteredJobs.class, MeteredJobs::work);
			awaitMeters("jobs.run", "job=MeteredJobs.work,outcome=done,queue=mail");
			assertThat(meters("jobs.wait")).containsExactly("queue=mail");
			assertThat(this.registry.get("jobs.wait").timer().count()).isEqualTo(1);
		});
	}

	@Test
	void requestsAreCountedByJobQueueAndResult() {
		this.runner.withPropertyValues("steadyjobs.worker.enabled=false")
			.withBean(ClientInterceptor.class,
					() -> (request, chain) -> request.options().tags().contains("stop") ? chain.stop()
							: chain.proceed(request))
			.run((context) -> {
				JobClient client = context.getBean(JobClient.class);
				client.enqueue(MeteredJobs.class, MeteredJobs::work);
				client.enqueueAll(List.of(JobRequest.named("MeteredJobs.work"), JobRequest.named("MeteredJobs.work")));
				client.enqueue(
						JobRequest.of(MeteredJobs.class, MeteredJobs::work).queue("other").after(Duration.ofDays(1)));
				client.enqueue(JobRequest.named("elsewhere").tags("stop"));
				assertThatExceptionOfType(PayloadTooLargeException.class)
					.isThrownBy(() -> client.enqueue(JobRequest.named("elsewhere", "x".repeat(2_000_000))));
				assertThat(meters("jobs.enqueue")).containsExactlyInAnyOrder(
						"job=MeteredJobs.work,queue=mail,result=enqueued",
						"job=MeteredJobs.work,queue=other,result=scheduled",
						"job=elsewhere,queue=default,result=stopped", "job=elsewhere,queue=default,result=failed");
				assertThat(this.registry.get("jobs.enqueue").tag("result", "enqueued").counter().count()).isEqualTo(3);
			});
	}

	@Test
	void requestsOfBulkPushesAreCountedAsRedisAnswers() {
		this.redis.template().opsForHash().put(this.redis.key("refusing", "meta"), "schema", "99");
		JobRequest request = JobRequest.named("MeteredJobs.work");
		JobRequest once = request.idempotent(Idempotence.untilExecuted());
		this.runner.withPropertyValues("steadyjobs.worker.enabled=false").run((context) -> {
			JobClient client = context.getBean(JobClient.class);
			client.enqueueAll(List.of(request, once, once, once, request.after(Duration.ofDays(1))));
			assertThatExceptionOfType(BulkEnqueueException.class)
				.isThrownBy(() -> client.enqueueAll(List.of(request.queue("refusing"), request.queue("refusing"))));
			assertThat(counts("jobs.enqueue")).containsOnly(
					entry("job=MeteredJobs.work,queue=mail,result=enqueued", 2.0),
					entry("job=MeteredJobs.work,queue=mail,result=duplicate", 2.0),
					entry("job=MeteredJobs.work,queue=mail,result=scheduled", 1.0),
					entry("job=MeteredJobs.work,queue=refusing,result=failed", 2.0));
		});
	}

	@Test
	void jobsThatWaitForRedisAreShownAndThoseThatAreLostCounted() {
		this.runner
			.withPropertyValues("spring.data.redis.url=redis://127.0.0.1:1", "steadyjobs.worker.enabled=false",
					"steadyjobs.client.buffer=2", "steadyjobs.shutdown-timeout=0s")
			.run((context) -> {
				JobClient client = context.getBean(JobClient.class);
				client.enqueueAll(List.of(JobRequest.named("a"), JobRequest.named("b")));
				assertThat(this.registry.get("jobs.enqueue.waiting").gauge().value()).isEqualTo(2);
				context.getBean(EnqueueMetrics.class)
					.lost(new EnqueueListener.Requested("1", "a", "default"),
							JobPayload.read(new JsonMapper(), "{\"jid\":\"1\",\"class\":\"a\",\"args\":[]}".getBytes()),
							new JobStoreException("no"));
				assertThat(counts("jobs.enqueue")).containsOnly(entry("job=a,queue=default,result=lost", 1.0));
			});
	}

	@Test
	void duplicatesAreCountedByJobQueueAndEvent() {
		this.runner
			.withPropertyValues("steadyjobs.worker.enabled=false", "steadyjobs.idempotence.dry-run=true",
					"steadyjobs.idempotence.ttl=1h")
			.run((context) -> {
				JobClient client = context.getBean(JobClient.class);
				JobRequest undeclared = JobRequest.named("MeteredJobs.work");
				client.enqueueAll(List.of(undeclared, undeclared, undeclared));
				JobRequest once = undeclared.queue("once").idempotent(Idempotence.untilExecuted());
				client.enqueueAll(List.of(once, once));
				assertThat(meters("jobs.deduplication")).containsExactlyInAnyOrder(
						"event=dropped,job=MeteredJobs.work,queue=once",
						"event=possible,job=MeteredJobs.work,queue=mail");
				assertThat(this.registry.get("jobs.deduplication").tag("event", "possible").counter().count())
					.isEqualTo(2);
				assertThat(this.redis.template().<String, String>opsForHash().values(this.redis.key("once", "lockof")))
					.singleElement()
					.asString()
					.startsWith("e" + Long.toHexString(Duration.ofHours(1).toMillis()) + " ");
			});
	}

	@Test
	void jobsOfDeadProcessesAreCountedByQueueAndResult() {
		this.runner
			.withPropertyValues("steadyjobs.worker.auto-startup=false", "steadyjobs.liveness.beat=50ms",
					"steadyjobs.liveness.death-after=300ms")
			.run((context) -> {
				String id = context.getBean(JobClient.class).enqueue(MeteredJobs.class, MeteredJobs::work).id();
				this.redis.template().delete(this.redis.key("mail", "ready"));
				this.redis.template().opsForHash().put(this.redis.key("mail", "working"), id, "gone.1/default/1");
				this.redis.template().opsForHash().put(this.redis.key("mail", "beats"), "gone.1", "7");
				context.getBean(Launcher.class).start();
				awaitMeters("jobs.recovered", "queue=mail,result=returned", "queue=mail,result=dead");
				assertThat(counts("jobs.recovered")).containsOnly(entry("queue=mail,result=returned", 1.0),
						entry("queue=mail,result=dead", 0.0));
			});
	}

	@Test
	void fencingAndRefusedEndsAreCountedByQueue() {
		this.runner.run((context) -> {
			String id = context.getBean(JobClient.class).enqueue(MeteredJobs.class, MeteredJobs::hold).id();
			assertThat(this.jobs.running.await(30, TimeUnit.SECONDS)).isTrue();
			String beats = this.redis.key("mail", "beats");
			String process = this.redis.template().<String, String>opsForHash().keys(beats).iterator().next();
			this.redis.template().opsForHash().put(beats, process, "FENCED");
			this.redis.template().opsForHash().put(this.redis.key("mail", "working"), id, "another.1/default/1");
			// The next claim is refused, just as a heartbeat would be.
			context.getBean(JobClient.class).enqueue(MeteredJobs.class, MeteredJobs::work);
			awaitMeters("jobs.fenced", "queue=mail");
			this.jobs.goOn.countDown();
			awaitMeters("jobs.refused", "queue=mail");
			assertThat(counts("jobs.fenced")).containsOnly(entry("queue=mail", 1.0));
			assertThat(counts("jobs.refused")).containsOnly(entry("queue=mail", 1.0));
		});
	}

	@Test
	void lossesOfDataAreCountedByQueue() {
		this.runner.withPropertyValues("steadyjobs.liveness.beat=50ms").run((context) -> {
			context.getBean(JobClient.class).enqueue(MeteredJobs.class, MeteredJobs::work);
			awaitMeters("jobs.run", "job=MeteredJobs.work,outcome=done,queue=mail");
			this.redis.template().opsForHash().put(this.redis.key("mail", "meta"), "epoch", "another");
			awaitMeters("jobs.data.lost", "queue=mail");
			assertThat(counts("jobs.data.lost")).containsOnly(entry("queue=mail", 1.0));
		});
	}

	@Test
	void workersAreShownByCapsule() {
		this.runner
			.withPropertyValues("steadyjobs.capsules.mails.queues=mail", "steadyjobs.capsules.mails.concurrency=2")
			.run((context) -> {
				context.getBean(JobClient.class).enqueue(MeteredJobs.class, MeteredJobs::hold);
				assertThat(this.jobs.running.await(30, TimeUnit.SECONDS)).isTrue();
				assertThat(value("jobs.workers.busy", "capsule", "mails")).isEqualTo(1);
				assertThat(value("jobs.workers.max", "capsule", "mails")).isEqualTo(2);
				assertThat(value("jobs.workers.busy", "capsule", "default")).isZero();
				assertThat(value("jobs.workers.max", "capsule", "default")).isEqualTo(10);
				this.jobs.goOn.countDown();
				await().untilAsserted(() -> assertThat(value("jobs.workers.busy", "capsule", "mails")).isZero());
				assertThat(meters("jobs.workers.busy")).containsExactlyInAnyOrder("capsule=default", "capsule=mails");
			});
	}

	@Test
	@DisplayName("LK-43: there are meters for size, lag and dead jobs of each queue")
	void queuesAreShownWithSizeLatencyAndDeadJobs() {
		this.runner.withPropertyValues("steadyjobs.worker.enabled=false").run((context) -> {
			JobClient client = context.getBean(JobClient.class);
			client.enqueueAll(List.of(JobRequest.named("MeteredJobs.work"), JobRequest.named("MeteredJobs.work")));
			client.enqueue(JobRequest.named("elsewhere").queue("foreign"));
			JobPauses pauses = context.getBean(JobPauses.class);
			pauses.pauseQueue("mail", "ann", "why");
			assertThat(meters("jobs.queue.size")).containsExactlyInAnyOrder("queue=default", "queue=mail");
			assertThat(value("jobs.queue.size", "queue", "mail")).isEqualTo(2);
			assertThat(value("jobs.queue.size", "queue", "default")).isZero();
			assertThat(value("jobs.queue.latency", "queue", "default")).isZero();
			assertThat(value("jobs.queue.latency", "queue", "mail")).isNotNegative();
			assertThat(value("jobs.queue.dead", "queue", "mail")).isZero();
			assertThat(value("jobs.queue.paused", "queue", "mail")).isEqualTo(1);
			assertThat(value("jobs.queue.paused", "queue", "default")).isZero();
			pauses.resumeQueue("mail");
			// The queue is shown after it has received a job, although this application
			// does not configure it.
			assertThat(value("jobs.queue.size", "queue", "foreign")).isEqualTo(1);
		});
	}

	@Test
	void queuesAreShownWithTheirJobsInEveryPlace() {
		this.runner.run((context) -> {
			JobClient client = context.getBean(JobClient.class);
			client.enqueue(MeteredJobs.class, MeteredJobs::hold);
			client.enqueue(JobRequest.of(MeteredJobs.class, MeteredJobs::fail).queue("mail"));
			client.enqueue(JobRequest.named("unknown").queue("mail"));
			for (int i = 0; i < 2; i++) {
				client.enqueue(
						JobRequest.of(MeteredJobs.class, MeteredJobs::work).at(Instant.now().plus(Duration.ofDays(1))));
			}
			await().atMost(Duration.ofSeconds(30))
				.until(() -> Stream.of("running", "scheduled", "retries", "parked")
					.map((place) -> value("jobs.queue." + place, "queue", "mail"))
					.toList(), (values) -> values.equals(List.of(1.0, 2.0, 1.0, 1.0)));
			assertThat(value("jobs.queue.running", "queue", "default")).isZero();
			// A process is counted after its first report.
			await().atMost(Duration.ofSeconds(30))
				.until(() -> this.registry.get("jobs.processes").gauge().value() == 1);
			this.jobs.goOn.countDown();
		});
	}

	@Test
	void queuesWhenScrapedManyTimesCostOneSample() {
		try (OwnRedis own = OwnRedis.start()) {
			this.runner
				.withPropertyValues("spring.data.redis.url=" + own.url(), "steadyjobs.worker.enabled=false",
						"steadyjobs.queues.other.weight=1")
				.run((context) -> {
					for (int i = 0; i < 50; i++) {
						this.registry.getMeters().forEach((meter) -> meter.measure().forEach((m) -> m.getValue()));
					}
					assertThat(value("jobs.queue.size", "queue", "mail")).isZero();
					assertThat(this.registry.get("jobs.processes").gauge().value()).isZero();
					// A sample needs two calls: one for the names of queues and one for
					// the names of processes. On a busy machine, this test can take five
					// seconds, after which a second sample is due.
					assertThat(calls(own, "cmdstat_smembers")).isIn(2, 4);
				});
		}
	}

	private static int calls(OwnRedis redis, String command) {
		try (RedisConnection connection = redis.redis().connectionFactory().getConnection()) {
			Properties stats = connection.serverCommands().info("commandstats");
			return Integer.parseInt(stats.getProperty(command).replaceFirst("calls=(\\d+),.*", "$1"));
		}
	}

	private void awaitMeters(String name, String... expected) {
		await().untilAsserted(() -> assertThat(meters(name)).containsExactlyInAnyOrder(expected));
	}

	private List<String> meters(String name) {
		return this.registry.getMeters()
			.stream()
			.map(Meter::getId)
			.filter((id) -> id.getName().equals(name))
			.map(JobsMetersIntegrationTests::tags)
			.toList();
	}

	private Map<String, Double> counts(String name) {
		return this.registry.get(name)
			.counters()
			.stream()
			.collect(Collectors.toMap((counter) -> tags(counter.getId()), Counter::count));
	}

	private static String tags(Meter.Id id) {
		return id.getTags()
			.stream()
			.map((tag) -> tag.getKey() + "=" + tag.getValue())
			.sorted()
			.collect(Collectors.joining(","));
	}

	private double value(String name, String tag, String value) {
		return this.registry.get(name).tags(List.of(Tag.of(tag, value))).gauge().value();
	}

	static class MeteredJobs {

		private final CountDownLatch running = new CountDownLatch(1);

		private final CountDownLatch goOn = new CountDownLatch(1);

		@Job(queue = "mail")
		void work() {
		}

		@Job(queue = "mail")
		void hold() throws InterruptedException {
			this.running.countDown();
			this.goOn.await();
		}

		@Job
		void fail() {
			throw new IllegalStateException("no");
		}

	}

}

package io.github.steadyjobs.application;

import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.client.JobClientFactory;
import io.github.steadyjobs.client.JobClientSettings;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.observation.DefaultJobProcessObservationConvention;
import io.github.steadyjobs.observation.JobProcessContext;
import io.github.steadyjobs.observation.JobProcessObservationConvention;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.server.Launcher;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.MDC;
import org.springframework.batch.infrastructure.support.transaction.ResourcelessTransactionManager;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that a trace continues in the jobs that were enqueued within it. Spring Boot
 * configures the application with OpenTelemetry and an exporter in memory.
 */
@ExtendWith(OutputCaptureExtension.class)
class TracingIntegrationTests {

	private ConfigurableApplicationContext application;

	@AfterEach
	void stop() {
		this.application.close();
	}

	@Test
	void requestEnqueueRunAndNestedEnqueueAreOneTrace(CapturedOutput output) {
		start();
		inRequest(() -> client().enqueue(TracedJobs.class, (jobs) -> jobs.outer("a")));
		List<SpanData> trace = spans(5);
		assertThat(trace).extracting(SpanData::getTraceId).containsOnly(trace.get(0).getTraceId());
		assertThat(path(trace)).containsExactlyInAnyOrder("request", "request > default send",
				"request > default send > default process TracedJobs.outer",
				"request > default send > default process TracedJobs.outer > default send",
				"request > default send > default process TracedJobs.outer > default send > default process TracedJobs.inner");
		SpanData send = trace.stream().filter((span) -> span.getKind() == SpanKind.PRODUCER).findFirst().orElseThrow();
		assertThat(attributes(send)).containsEntry("jobs.job", "TracedJobs.outer")
			.containsEntry("jobs.queue", "default")
			.containsEntry("jobs.result", "enqueued")
			.containsEntry("messaging.system", "steadyjobs")
			.containsEntry("messaging.operation.type", "send")
			.containsKey("jobs.id");
		SpanData run = trace.stream().filter((span) -> span.getKind() == SpanKind.CONSUMER).findFirst().orElseThrow();
		assertThat(attributes(run)).containsEntry("jobs.outcome", "done")
			.containsEntry("jobs.attempt", "1")
			.containsEntry("jobs.capsule", "default")
			.containsEntry("messaging.destination.name", "default");
		assertThat(output.toString().lines())
			.anyMatch((line) -> line.contains("inner runs with a") && line.contains(run.getTraceId()));
	}

	@Test
	void retryIsAFurtherSpanOfTheTrace(CapturedOutput output) {
		start();
		inRequest(() -> client().enqueue(TracedJobs.class, (jobs) -> jobs.failing("a", JobContext.none())));
		List<SpanData> trace = spans(4);
		assertThat(trace).extracting(SpanData::getTraceId).containsOnly(trace.get(0).getTraceId());
		List<SpanData> runs = trace.stream().filter((span) -> span.getKind() == SpanKind.CONSUMER).toList();
		assertThat(runs).extracting(SpanData::getParentSpanId).hasSize(2).containsOnly(runs.get(0).getParentSpanId());
		assertThat(runs).extracting((run) -> run.getStatus().getStatusCode())
			.containsExactlyInAnyOrder(StatusCode.ERROR, StatusCode.UNSET);
		assertThat(runs).extracting((run) -> attributes(run).get("jobs.outcome"))
			.containsExactlyInAnyOrder("failed", "done");
		assertThat(output.toString().lines())
			.anyMatch((line) -> line.contains("failed in attempt 1") && line.contains(trace.get(0).getTraceId()));
	}

	@Test
	void bulkPushIsOneSpanForEachThousandJobs() {
		start();
		List<JobRequest> requests = IntStream.range(0, 2001)
			.mapToObj((number) -> JobRequest.named("TracedJobs.inner", "a"))
			.toList();
		inRequest(() -> client().enqueueAll(requests));
		List<SpanData> trace = spans(1 + 3 + 2001);
		assertThat(trace).extracting(SpanData::getTraceId).containsOnly(trace.get(0).getTraceId());
		Map<String, Long> runs = trace.stream()
			.filter((span) -> span.getKind() == SpanKind.CONSUMER)
			.collect(Collectors.groupingBy(SpanData::getParentSpanId, Collectors.counting()));
		assertThat(runs.values()).containsExactlyInAnyOrder(1000L, 1000L, 1L);
		assertThat(trace.stream().filter((span) -> span.getKind() == SpanKind.PRODUCER))
			.allSatisfy((send) -> assertThat(attributes(send)).containsEntry("jobs.result", "bulk"))
			.extracting((send) -> attributes(send).get("messaging.batch.message_count"))
			.containsExactlyInAnyOrder("1000", "1000", "1");
	}

	@Test
	void jobOfATransactionIsInItsTrace() {
		start();
		inRequest(() -> new TransactionTemplate(new ResourcelessTransactionManager())
			.executeWithoutResult((status) -> client().enqueue(TracedJobs.class, (jobs) -> jobs.inner("a"))));
		assertThat(path(spans(3))).contains("request > default send > default process TracedJobs.inner");
	}

	@Test
	void recurringJobBeginsATrace() {
		start("traced.every=1s");
		await().atMost(Duration.ofSeconds(30))
			.untilAsserted(
					() -> assertThat(path(finished())).contains("default send > default process TracedJobs.ticking"));
	}

	@Test
	void orderedJobIsInTheTraceOfThePushThatMadeIt() {
		start("steadyjobs.worker.auto-startup=false");
		String first = inRequest(() -> client().enqueue(TracedJobs.class, (jobs) -> jobs.ordered("k", 1)));
		String second = inRequest(() -> client().enqueue(TracedJobs.class, (jobs) -> jobs.ordered("k", 2)));
		inRequest(() -> client().enqueue(TracedJobs.class, (jobs) -> jobs.ordered("k", 2)));
		assertThat(first).isNotEqualTo(second);
		this.application.getBean(Launcher.class).start();
		List<SpanData> trace = spans(3 * 2 + 1);
		List<SpanData> runs = trace.stream().filter((span) -> span.getKind() == SpanKind.CONSUMER).toList();
		assertThat(runs).extracting(SpanData::getTraceId).containsExactly(first);
		// Payloads merge as they do without a trace: the equal payload was dropped.
		assertThat(jobs().ran).containsExactly("k 1", "k 2");
	}

	@Test
	void headersThatAreNoneBeginANewTrace() {
		start();
		JobClient other = JobClientFactory.create(this.application.getBean(JobStore.class),
				this.application.getBean(PayloadCodec.class), this.application.getBean(JobRegistry.class), List.of(),
				List.of(), JobClientSettings.DEFAULTS);
		String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
		List<String> headers = List.of("nonsense", "00-%s-00f067aa0ba902b7-01".formatted(trace.toUpperCase()),
				"00-" + "0".repeat(32) + "-00f067aa0ba902b7-01", "ff-%s-00f067aa0ba902b7-01".formatted(trace),
				"00-%s-00f067aa0ba902b7-01".formatted(trace) + "x".repeat(10_240), "\u0000\uffff", "");
		headers.forEach((header) -> other.enqueue(JobRequest.named("TracedJobs.inner", "odd")
			.meta(Map.of("traceparent", header, "tracestate", header, "b3", header, "baggage", header, "uber-trace-id",
					"1:2:3:4"))));
		assertThat(spans(headers.size())).allSatisfy((run) -> {
			assertThat(run.getParentSpanContext().isValid()).isFalse();
			assertThat(attributes(run)).containsEntry("jobs.outcome", "done");
		}).extracting(SpanData::getTraceId).doesNotHaveDuplicates().doesNotContain(trace);
		other.enqueue(JobRequest.named("TracedJobs.inner", "fine")
			.meta("traceparent", "00-%s-00f067aa0ba902b7-01".formatted(trace)));
		assertThat(spans(headers.size() + 1)).extracting(SpanData::getTraceId).contains(trace);
	}

	@Test
	void contextTravelsByItsKeys(CapturedOutput output) {
		start("steadyjobs.context.keys=tenant,region");
		MDC.put("tenant", "acme");
		MDC.put("secret", "x");
		try {
			client().enqueue(TracedJobs.class, (jobs) -> jobs.outer("a"));
			client().enqueueAll(List.of(JobRequest.named("TracedJobs.inner", "b"),
					JobRequest.named("TracedJobs.inner", "c").meta("tenant", "own")));
		}
		finally {
			MDC.clear();
		}
		await().untilAsserted(() -> assertThat(jobs().contexts).containsExactlyInAnyOrder("a acme null", "a acme null",
				"b acme null", "c own null"));
	}

	@Test
	void observationsCanBeSwitchedOff() {
		start("management.observations.enable.jobs=false");
		inRequest(() -> client().enqueue(TracedJobs.class, (jobs) -> jobs.outer("a")));
		await().until(() -> jobs().ran.size() == 2);
		assertThat(finished()).extracting(SpanData::getName).containsOnly("request");
	}

	@Test
	void noMetersAreMadeOfObservations() {
		start();
		inRequest(() -> client().enqueue(TracedJobs.class, (jobs) -> jobs.outer("a")));
		spans(5);
		Set<String> meters = this.application.getBean(MeterRegistry.class)
			.getMeters()
			.stream()
			.map((meter) -> meter.getId().getName())
			.collect(Collectors.toSet());
		assertThat(meters).contains("request", "jobs.run", "jobs.enqueue")
			.noneMatch((name) -> name.matches("jobs\\.(process|publish)(\\..*)?"));
	}

	@Test
	void conventionIsReplacedByABean() {
		start(Renamed.class);
		client().enqueue(TracedJobs.class, (jobs) -> jobs.inner("a"));
		assertThat(spans(2)).extracting(SpanData::getName).contains("renamed");
	}

	@Test
	void conventionThatThrowsFailsNoRun(CapturedOutput output) {
		start(Throwing.class);
		client().enqueue(TracedJobs.class, (jobs) -> jobs.inner("a"));
		client().enqueue(TracedJobs.class, (jobs) -> jobs.inner("a"));
		await().until(() -> jobs().ran.size() == 2);
		assertThat(output).doesNotContain("failed in attempt");
	}

	private void start(String... properties) {
		start(Application.class, properties);
	}

	private void start(Class<?> source, String... properties) {
		this.application = new SpringApplicationBuilder(Application.class, source).web(WebApplicationType.NONE)
			.properties("management.tracing.sampling.probability=1", "spring.data.redis.repositories.enabled=false",
					"spring.main.banner-mode=off", "traced.every=1h")
			.properties("management.observations.enable.lettuce=false")
			.run(Arrays.stream(properties).map((property) -> "--" + property).toArray(String[]::new));
	}

	private JobClient client() {
		return this.application.getBean(JobClient.class);
	}

	private TracedJobs jobs() {
		return this.application.getBean(TracedJobs.class);
	}

	/** Act as a request would, and return the id of its trace. */
	private String inRequest(Runnable action) {
		StringBuilder id = new StringBuilder();
		Observation.createNotStarted("request", this.application.getBean(ObservationRegistry.class)).observe(() -> {
			id.append(MDC.get("traceId"));
			action.run();
		});
		return id.toString();
	}

	private List<SpanData> finished() {
		return this.application.getBean(Spans.class).exporter().getFinishedSpanItems();
	}

	private List<SpanData> spans(int count) {
		await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(finished().size()).isEqualTo(count));
		return finished().stream().sorted(Comparator.comparing(SpanData::getStartEpochNanos)).toList();
	}

	/** Return the path of each span: the names of its ancestors, then its own name. */
	private static List<String> path(List<SpanData> spans) {
		Map<String, SpanData> byId = spans.stream().collect(Collectors.toMap(SpanData::getSpanId, (span) -> span));
		return spans.stream().map((span) -> path(span, byId)).toList();
	}

	private static String path(SpanData span, Map<String, SpanData> byId) {
		SpanData parent = byId.get(span.getParentSpanId());
		return (parent != null) ? path(parent, byId) + " > " + span.getName() : span.getName();
	}

	private static Map<String, String> attributes(SpanData span) {
		return span.getAttributes()
			.asMap()
			.entrySet()
			.stream()
			.collect(Collectors.toMap((entry) -> ((AttributeKey<?>) entry.getKey()).getKey(),
					(entry) -> String.valueOf(entry.getValue())));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		TracedJobs tracedJobs(JobClient client) {
			return new TracedJobs(client);
		}

		@Bean
		RetryDelay atOnce() {
			return RetryDelay.exactly((count, job, failure) -> Duration.ofMillis(10));
		}

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

		@Bean
		Spans spans() {
			return new Spans(InMemorySpanExporter.create());
		}

		@Bean
		SpanProcessor processor(Spans spans) {
			return SimpleSpanProcessor.create(spans.exporter());
		}

	}

	/**
	 * Holds the exporter. If it were a bean, it would receive each span twice.
	 *
	 * @param exporter the exporter
	 */
	record Spans(InMemorySpanExporter exporter) {

	}

	@Configuration(proxyBeanMethods = false)
	static class Renamed {

		@Bean
		JobProcessObservationConvention convention() {
			return new DefaultJobProcessObservationConvention() {

				@Override
				public String getContextualName(JobProcessContext context) {
					return "renamed";
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Throwing {

		@Bean
		JobProcessObservationConvention convention() {
			return new DefaultJobProcessObservationConvention() {

				@Override
				public KeyValues getLowCardinalityKeyValues(JobProcessContext context) {
					throw new IllegalStateException("A convention with a mistake");
				}

			};
		}

	}

}

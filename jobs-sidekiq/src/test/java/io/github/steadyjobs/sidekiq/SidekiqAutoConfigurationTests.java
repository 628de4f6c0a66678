package io.github.steadyjobs.sidekiq;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.boot.JobsAutoConfiguration;
import io.github.steadyjobs.boot.JobsWorkerAutoConfiguration;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.support.Repository;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Tests for {@link SidekiqAutoConfiguration}.
 */
class SidekiqAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
				SidekiqAutoConfiguration.class))
		// No server listens on this port, and nothing connects at start-up.
		.withPropertyValues("spring.data.redis.url=redis://127.0.0.1:1");

	@Test
	void withoutQueuesThereIsOnlyTheClient() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(SidekiqClient.class)
			.doesNotHaveBean(SidekiqBridge.class));
	}

	@Test
	void withQueuesThereIsABridge() {
		this.runner.withPropertyValues("steadyjobs.sidekiq.queues.hard=mail")
			.run((context) -> assertThat(context.getBean(SidekiqBridge.class).isRunning()).isTrue());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			spring.test.jobs.in-memory=true | steadyjobs.sidekiq.poll-interval=1s           | in memory
			spring.test.jobs.mode=REAL      | steadyjobs.sidekiq.url=redis://127.0.0.1:1/3  | steadyjobs.sidekiq.url
			""")
	void testTakesNoJobsFromOutside(String mode, String setting, String reason) {
		this.runner.withPropertyValues("steadyjobs.sidekiq.queues.hard=mail", mode, setting).run((context) -> {
			assertThat(context).hasSingleBean(SidekiqClient.class).doesNotHaveBean(SidekiqBridge.class);
			ConditionEvaluationReport report = ConditionEvaluationReport.get(context.getBeanFactory());
			String method = SidekiqAutoConfiguration.class.getName() + "#steadyJobsSidekiqBridge";
			assertThat(report.getConditionAndOutcomesBySource().get(method))
				.anySatisfy((condition) -> assertThat(condition.getOutcome().getMessage()).contains(reason));
		});
	}

	@Test
	void testWithRealJobsTakesJobsFromItsOwnRedis() {
		this.runner.withPropertyValues("steadyjobs.sidekiq.queues.hard=mail", "spring.test.jobs.mode=REAL")
			.run((context) -> assertThat(context).hasSingleBean(SidekiqBridge.class));
	}

	@Test
	void propertiesOfTestsAreThoseOfTheModuleForTests() {
		assertThat(Repository
			.read("jobs-test/src/main/java/io/github/steadyjobs/test/boot/JobsContextCustomizerFactory.java"))
			.contains("\"spring.test.jobs.mode\"", "\"spring.test.jobs.in-memory\"");
	}

	@Test
	void bridgeStartsAfterTheWorkersAndStopsBeforeThem() {
		this.runner.withConfiguration(AutoConfigurations.of(JobsWorkerAutoConfiguration.class))
			.withPropertyValues("steadyjobs.sidekiq.queues.hard=mail")
			.run((context) -> assertThat(context.getBean(SidekiqBridge.class).getPhase())
				.isGreaterThan(context.getBean(Launcher.class).getPhase()));
	}

	@Test
	void whenDisabledThereIsNothing() {
		this.runner.withPropertyValues("steadyjobs.sidekiq.queues.hard=mail", "steadyjobs.sidekiq.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(SidekiqBridge.class)
				.doesNotHaveBean(SidekiqClient.class));
	}

	@Test
	void withoutJobsThereIsNothing() {
		this.runner.withPropertyValues("steadyjobs.sidekiq.queues.hard=mail", "steadyjobs.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(SidekiqRedis.class));
	}

	@Test
	void lazyInitializationStartsTheBridgeAllTheSame() {
		this.runner.withPropertyValues("steadyjobs.sidekiq.queues.hard=mail")
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> assertThat(context.getBeanFactory().containsSingleton("steadyJobsSidekiqBridge"))
				.isTrue());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			steadyjobs.sidekiq.queues.hard=               | steadyjobs.sidekiq.queues[hard]          | queue 'hard'
			steadyjobs.sidekiq.queues.hard=a b            | steadyjobs.sidekiq.queues[hard]          | A-Za-z0-9
			steadyjobs.sidekiq.queues[a b]=mail           | steadyjobs.sidekiq.queues[a b]           | white space
			steadyjobs.sidekiq.jobs[SendInvoice]=a b      | steadyjobs.sidekiq.jobs[SendInvoice]     | InvoiceJobs.send
			steadyjobs.sidekiq.poll-interval=0s           | steadyjobs.sidekiq.poll-interval         | 1ms or more
			steadyjobs.sidekiq.url=localhost              | steadyjobs.sidekiq.url                   | redis://
			spring.data.redis.cluster.nodes=127.0.0.1:1   | steadyjobs.sidekiq.url                   | Redis Cluster
			""")
	void impossibleValueIsNamedAtStartUp(String setting, String property, String advice) {
		this.runner.withPropertyValues("steadyjobs.sidekiq.queues.low=low", setting)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, (failure) -> {
					assertThat(failure.getName()).isEqualTo(property);
					assertThat(failure.getReason()).contains(advice);
				}));
	}

	@Test
	void clusterWithAnotherRedisForSidekiqIsFine() {
		this.runner
			.withPropertyValues("spring.data.redis.cluster.nodes=127.0.0.1:1",
					"steadyjobs.sidekiq.url=redis://127.0.0.1:1/3", "steadyjobs.sidekiq.queues.hard=mail")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(SidekiqBridge.class));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			''             | 100ms
			?timeout=100ms | 60s
			?database=1&Timeout=100ms | 60s
			""")
	void timeoutForSidekiqIsThatOfTheUrlOrElseThatOfTheApplication(String query, String timeout) throws IOException {
		// The server accepts connections, but does not answer.
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			this.runner
				.withPropertyValues("spring.data.redis.timeout=" + timeout,
						"steadyjobs.sidekiq.url=redis://127.0.0.1:" + server.getLocalPort() + query)
				.run((context) -> assertTimeoutPreemptively(Duration.ofSeconds(20),
						() -> assertThatExceptionOfType(DataAccessException.class)
							.isThrownBy(() -> context.getBean(SidekiqClient.class).enqueue("HardWorker"))));
		}
	}

	@Test
	void pageHasEveryPropertyWithItsDefaultAndItsDescriptionFollowsTheRules() throws Exception {
		Map<String, String> defaults = new TreeMap<>();
		JsonNode metadata = JsonMapper.shared()
			.readTree(getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json"));
		for (JsonNode property : metadata.path("properties")) {
			String name = property.path("name").asString();
			assertThat(property.path("description").asString("")).as(name)
				.endsWith(".")
				.doesNotStartWith("The ")
				.doesNotContain("\n");
			String entry = property.path("type").asString().startsWith("java.util.Map") ? ".<name>" : "";
			defaults.put(name + entry, property.path("defaultValue").asString(""));
		}
		assertThat(defaults).hasSize(6);
		Map<String, String> documented = Pattern.compile("(?m)^\\| `(steadyjobs[^`]+)` \\|(?: `([^`]*)`)? \\| \\S")
			.matcher(Repository.read("docs/sidekiq-bridge.md"))
			.results()
			.collect(Collectors.toMap((row) -> row.group(1), SidekiqAutoConfigurationTests::defaultIn));
		assertThat(documented).isEqualTo(defaults);
	}

	private static String defaultIn(MatchResult row) {
		return (row.group(2) != null) ? row.group(2) : "";
	}

	@Test
	void propertiesAreKnownWhereUnknownOnesAreNamed() throws ClassNotFoundException {
		Class<?> known = Class.forName("io.github.steadyjobs.boot.UnknownProperties$Sidekiq");
		assertThat(components(known)).containsExactlyInAnyOrderElementsOf(components(SidekiqProperties.class));
	}

	private static List<String> components(Class<?> type) {
		return Stream.of(type.getRecordComponents()).map(RecordComponent::getName).toList();
	}

}

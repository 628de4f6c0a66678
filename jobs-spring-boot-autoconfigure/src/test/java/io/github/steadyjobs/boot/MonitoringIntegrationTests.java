package io.github.steadyjobs.boot;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.observation.DocumentedMeter;
import io.github.steadyjobs.observation.JobMeter;
import io.github.steadyjobs.observation.ReliabilityMetrics;
import io.github.steadyjobs.recurring.RecurringMeter;
import io.github.steadyjobs.recurring.RecurringTick.Decision;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.Repository;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that an application exports the meters that are documented, and that the Grafana
 * dashboard and the alert rules ask only for what it exports.
 */
class MonitoringIntegrationTests {

	private static final String ALERTS = "docs/prometheus/steadyjobs-alerts.yml";

	private static final Pattern ROW = Pattern
		.compile("(?m)^\\| `([\\w.]+)` \\| (\\w+) \\| ?(\\w*) \\| ?(.*?) \\| (.+) \\|$");

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	private static final Pattern SAMPLE = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)})? \\S+$");

	private static final Pattern LABEL = Pattern.compile("(\\w+)=\"[^\"]*\"");

	/**
	 * Finds queries that add up values although every process reports the same values.
	 */
	private static final Pattern ADDED_UP = Pattern
		.compile("(sum|avg)(?: by \\([^)]*\\))? ?\\(jobs_(queue_|processes)");

	private static final OwnRedis redis = OwnRedis.start();

	private static ConfigurableApplicationContext application;

	/** The labels of each metric, as Prometheus names them. */
	private static final Map<String, Set<String>> exported = new HashMap<>();

	@BeforeAll
	static void runJobs() {
		application = Applications.run(MonitoredJobs.class, "spring.data.redis.url=" + redis.url(),
				"management.metrics.distribution.percentiles-histogram.jobs.run=true");
		JobClient client = application.getBean(JobClient.class);
		client.enqueue(MonitoredJobs.class, MonitoredJobs::work);
		JobRequest once = JobRequest.of(MonitoredJobs.class, MonitoredJobs::work)
			.idempotent(Idempotence.untilExecuted());
		client.enqueueAll(List.of(once, once));
		WorkerEvent.Listener counter = application.getBean(ReliabilityMetrics.class);
		Stream
			.of(new WorkerEvent.Fenced("mail", "p"), new WorkerEvent.Refused("mail", "1"),
					new WorkerEvent.Recovered("mail", "p", 1, 0), new WorkerEvent.DataLost("mail", null),
					new WorkerEvent.SlowRun("mail", "work", "1", Duration.ofHours(1)),
					new WorkerEvent.StuckRun("mail", "work", "1", Duration.ofHours(1)))
			.forEach(counter::told);
		await().untilAsserted(() -> assertThat(registered()).extracting(Row::name)
			.containsAll(documented().stream().map(Row::name).toList()));
		SAMPLE.matcher(application.getBean(PrometheusMeterRegistry.class).scrape())
			.results()
			.forEach((sample) -> exported.computeIfAbsent(sample.group(1), (name) -> new HashSet<>())
				.addAll(labels(sample.group(2))));
	}

	private static Set<String> labels(String labels) {
		return LABEL.matcher((labels != null) ? labels : "")
			.results()
			// Prometheus adds its own label 'job', and renames ours.
			.map((label) -> label.group(1).equals("job") ? "exported_job" : label.group(1))
			.collect(Collectors.toSet());
	}

	@AfterAll
	static void stop() {
		application.close();
		redis.close();
	}

	private static Stream<DocumentedMeter> meters() {
		return Stream.of(JobMeter.values(), RecurringMeter.values()).flatMap(Arrays::stream);
	}

	@Test
	void metersAreRegisteredAsDocumented() {
		assertThat(registered()).containsExactlyInAnyOrderElementsOf(documented());
	}

	private static Set<Row> registered() {
		return application.getBean(MeterRegistry.class)
			.getMeters()
			.stream()
			.map(Meter::getId)
			.filter((id) -> id.getName().startsWith("jobs."))
			.map((id) -> new Row(id.getName(), id.getType().name(), id.getBaseUnit(),
					id.getTags().stream().map(Tag::getKey).collect(Collectors.toSet()), id.getDescription()))
			.collect(Collectors.toSet());
	}

	@Test
	void metersAreDocumentedInTheReadme() {
		String table = Repository.read("README.md").split("<!-- /?meters -->")[1];
		assertThat(ROW.matcher(table)
			.results()
			.map((row) -> new Row(row.group(1), row.group(2), row.group(3),
					codes(row.group(4)).collect(Collectors.toSet()), row.group(5))))
			.containsExactlyElementsOf(documented());
	}

	private static List<Row> documented() {
		return meters()
			.map((meter) -> new Row(meter.getName(), meter.getType().name(), meter.getBaseUnit(),
					Set.copyOf(meter.tagNames()), meter.description()))
			.toList();
	}

	@Test
	void valuesOfTagsAreDocumented() {
		assertThat(values("jobs.run", "outcome")).containsExactlyElementsOf(names(JobOutcome.values()));
		assertThat(values("jobs.recurring.ticks", "decision")).containsExactlyElementsOf(names(Decision.values()));
	}

	private static List<String> values(String meter, String tag) {
		Matcher row = Pattern.compile("(?m)^\\| `%s` \\| `%s` \\| (.*) \\|$".formatted(meter, tag))
			.matcher(Repository.read("docs/metrics.md"));
		assertThat(row.find()).isTrue();
		return codes(row.group(1)).toList();
	}

	private static List<String> names(Enum<?>[] values) {
		return Arrays.stream(values).map((value) -> value.name().toLowerCase(Locale.ROOT)).toList();
	}

	private static Stream<String> codes(String text) {
		return CODE.matcher(text).results().map((code) -> code.group(1));
	}

	@ParameterizedTest
	@MethodSource("panels")
	void panelAsksForWhatIsExported(String title, JsonNode panel) {
		assertThat(panel.path("description").asString("")).endsWith(".");
		for (JsonNode target : panel.path("targets")) {
			assertThat(target.path("datasource")).isEqualTo(panel.path("datasource"));
			PromQl query = assertExported(target.path("expr").asString());
			assertThat(query.grouping()).containsAll(matches("\\{\\{(\\w+)}}", target.path("legendFormat").asString()));
		}
	}

	static Stream<Object[]> panels() {
		return dashboard().path("panels")
			.valueStream()
			.filter((panel) -> !panel.path("type").asString().equals("row"))
			.map((panel) -> new Object[] { panel.path("title").asString(), panel });
	}

	@Test
	void dashboardCanBeImported() {
		JsonNode dashboard = dashboard();
		assertThat(dashboard.path("schemaVersion").asInt()).isEqualTo(42);
		assertThat(dashboard.path("id").isNull()).isTrue();
		assertThat(dashboard.path("panels").valueStream().map((panel) -> panel.path("id").asInt()))
			.doesNotHaveDuplicates();
		assertThat(dashboard.findValues("datasource")).extracting((source) -> source.path("uid").asString())
			.containsOnly("-- Grafana --", "${datasource}");
		assertThat(dashboard.path("templating").path("list").path(0).path("name").asString()).isEqualTo("datasource");
		List<String> variable = matches("label_values\\((.*)\\)", dashboard.findValue("definition").asString());
		String[] metricAndLabel = variable.get(0).split(", ");
		assertThat(exported.get(metricAndLabel[0])).contains(metricAndLabel[1]);
	}

	private static JsonNode dashboard() {
		return JsonMapper.shared().readTree(Repository.read("docs/grafana/steadyjobs.json"));
	}

	@ParameterizedTest
	@MethodSource("alerts")
	void alertAsksForWhatIsExported(String name, Map<String, Object> rule) {
		PromQl query = assertExported((String) rule.get("expr"));
		String annotations = rule.get("annotations").toString();
		assertThat(query.grouping()).containsAll(matches("\\$labels\\.(\\w+)", annotations));
		assertThat(headings()).containsAll(matches("/docs/operations\\.md#([\\w-]+)", annotations)).isNotEmpty();
		assertThat(Repository.read("docs/prometheus/steadyjobs-alerts-test.yml")).contains("alertname: " + name);
		assertThat(Repository.read("docs/metrics.md")).contains("`" + name + "`");
	}

	@SuppressWarnings("unchecked")
	static Stream<Object[]> alerts() {
		Map<String, List<Map<String, List<Map<String, Object>>>>> file = new Yaml().load(Repository.read(ALERTS));
		return file.get("groups")
			.stream()
			.flatMap((group) -> group.get("rules").stream())
			.map((rule) -> new Object[] { rule.get("alert"), rule });
	}

	private static List<String> headings() {
		return matches("(?m)^#+ (.+)$", Repository.read("docs/operations.md")).stream()
			.map((heading) -> heading.toLowerCase(Locale.ROOT).replaceAll("[^\\w -]", "").replace(' ', '-'))
			.toList();
	}

	private static PromQl assertExported(String expression) {
		PromQl query = PromQl.of(expression);
		assertThat(expression).doesNotContainPattern(ADDED_UP);
		assertThat(exported).containsKeys(query.metrics().keySet().toArray(String[]::new));
		query.metrics().forEach((name, labels) -> assertThat(exported.get(name)).as(name).containsAll(labels));
		Set<String> known = query.metrics()
			.keySet()
			.stream()
			.map(exported::get)
			.flatMap(Collection::stream)
			.collect(Collectors.toCollection(HashSet::new));
		known.add("instance");
		assertThat(known).containsAll(query.grouping());
		return query;
	}

	private static List<String> matches(String pattern, String text) {
		return Pattern.compile(pattern).matcher(text).results().map((match) -> match.group(1)).toList();
	}

	@ParameterizedTest
	@ValueSource(strings = { "check rules steadyjobs-alerts.yml", "test rules steadyjobs-alerts-test.yml" })
	@org.junit.jupiter.api.Tag("prometheus")
	void rulesPassTheTestsOfPrometheus(String command) throws IOException, InterruptedException {
		Process promtool = new ProcessBuilder(("promtool " + command).split(" "))
			.directory(Repository.root().resolve(ALERTS).getParent().toFile())
			.redirectErrorStream(true)
			.start();
		String output = new String(promtool.getInputStream().readAllBytes());
		assertThat(promtool.waitFor(1, TimeUnit.MINUTES)).isTrue();
		assertThat(promtool.exitValue()).as(output).isZero();
	}

	/**
	 * A meter, as it is documented or as it is exported.
	 */
	record Row(String name, String kind, String unit, Set<String> tags, String description) {

		Row {
			kind = kind.toLowerCase(Locale.ROOT);
			unit = (unit != null) ? unit : "";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MonitoredJobs {

		@Job(queue = "mail")
		@NotIdempotent("a test")
		void work() {
		}

		@Job
		@Recurring(every = "1s")
		@NotIdempotent("a test")
		void tick() {
		}

	}

}

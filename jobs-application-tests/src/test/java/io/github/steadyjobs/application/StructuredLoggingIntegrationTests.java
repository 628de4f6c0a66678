package io.github.steadyjobs.application;

import java.util.List;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobContext;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that lines about runs can be read as JSON and contain each member only once.
 */
@ExtendWith(OutputCaptureExtension.class)
class StructuredLoggingIntegrationTests {

	private static final JsonMapper STRICT = JsonMapper.builder()
		.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
		.build();

	@ParameterizedTest
	@ValueSource(strings = { "ecs", "logstash", "gelf" })
	void linesAboutRunsHaveEachMemberOnce(String format, CapturedOutput output) {
		try (ConfigurableApplicationContext application = new SpringApplicationBuilder(
				TracingIntegrationTests.Application.class)
			.web(WebApplicationType.NONE)
			.properties("management.tracing.sampling.probability=1", "spring.data.redis.repositories.enabled=false",
					"spring.main.banner-mode=off", "traced.every=1h", "steadyjobs.runs.log=true",
					"logging.structured.format.console=" + format)
			.run()) {
			application.getBean(JobClient.class)
				.enqueue(TracedJobs.class, (jobs) -> jobs.failing("a", JobContext.none()));
			await().until(() -> !lines(output, "is done after").isEmpty());
		}
		String prefix = format.equals("gelf") ? "_" : "";
		for (String text : List.of("failed in attempt", "is done after")) {
			JsonNode line = lines(output, text).get(0);
			assertThat(line.path(prefix + "jobName").asString()).isEqualTo("TracedJobs.failing");
			assertThat(line.path(prefix + "jobId").asString()).hasSize(24);
			assertThat(line.path(prefix + "jobAttempt").isMissingNode()).isFalse();
			assertThat(line.path(prefix + "jobDurationMillis").asLong(-1)).isBetween(0L, 60_000L);
			assertThat(line.toString()).containsPattern("[0-9a-f]{32}");
		}
		assertThat(lines(output, "failed in attempt").get(0).path(prefix + "jobOutcome").asString()).isEqualTo("retry");
		assertThat(lines(output, "is done after").get(0).path(prefix + "jobOutcome").asString()).isEqualTo("done");
	}

	private static List<JsonNode> lines(CapturedOutput output, String text) {
		return output.toString()
			.lines()
			.filter((line) -> line.startsWith("{") && line.contains(text))
			.map(STRICT::readTree)
			.toList();
	}

}

package io.github.steadyjobs.samples.quickstart;

import java.nio.file.Path;
import java.time.Duration;

import io.github.steadyjobs.samples.quickstart.JobsController.Census;
import io.github.steadyjobs.samples.quickstart.Photo.State;
import io.github.steadyjobs.support.AheadOfTime;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the site after it was processed ahead of time, on the JVM.
 */
class AheadOfTimeIntegrationTests {

	private static AheadOfTime application;

	private static RestTestClient site;

	@BeforeAll
	static void start(@TempDir Path directory, @TempDir Path photos) {
		application = AheadOfTime.start(QuickstartApplication.class, directory, "--quickstart.directory=" + photos);
		site = RestTestClient.bindToServer().baseUrl(application.url()).build();
		awaiting().untilAsserted(() -> get("/actuator/health").expectStatus().isOk());
	}

	@AfterAll
	static void stop() {
		if (application != null) {
			application.close();
		}
	}

	@Test
	void demoRunsJobsThatWereEnqueuedByCalls() {
		site.post().uri("/demo?photos=3").exchange().expectStatus().isAccepted();
		awaiting().untilAsserted(() -> {
			Gallery gallery = get("/photos").expectBody(Gallery.class).returnResult().getResponseBody();
			assertThat(gallery.counts()).containsEntry(State.READY, 3);
		});
		application.assertRecorderIsLoaded(DemoJobs.class);
		application.assertRecorderIsLoaded(PhotoJobs.class);
	}

	@Test
	void recurringJobRuns() {
		awaiting().untilAsserted(() -> {
			Census census = get("/census").expectBody(Census.class).returnResult().getResponseBody();
			assertThat(census.runs()).isNotEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/jobs/", "/jobs/queues", "/actuator/jobs", "/actuator/prometheus" })
	void siteServes(String path) {
		get(path).expectStatus().isOk();
	}

	@Test
	void processingLeavesTheEmbeddedRedisOut() {
		assertThat(application.processingLog()).contains("so it gets no embedded Redis");
	}

	private static ResponseSpec get(String path) {
		return site.get().uri(path).exchange();
	}

	private static ConditionFactory awaiting() {
		return Awaitility.await().atMost(Duration.ofSeconds(60));
	}

}

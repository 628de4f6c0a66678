package io.github.steadyjobs.samples.orders;

import java.nio.file.Path;
import java.time.Duration;

import io.github.steadyjobs.samples.orders.OrderHistory.Summary;
import io.github.steadyjobs.support.AheadOfTime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the shop after it was processed ahead of time, on the JVM.
 */
class AheadOfTimeIntegrationTests {

	@Test
	void streamRunsOrderedJobsThatWereEnqueuedByCalls(@TempDir Path directory) throws Exception {
		try (AheadOfTime application = AheadOfTime.start(OrdersApplication.class, directory, "--orders.versions=5",
				"--orders.pause=20ms")) {
			RestTestClient site = RestTestClient.bindToServer().baseUrl(application.url()).build();
			Summary summary = Awaitility.await()
				.atMost(Duration.ofSeconds(120))
				.ignoreExceptions()
				.until(() -> summary(site), Summary::ended);
			assertThat(summary.ordered().backwards()).isZero();
			assertThat(summary.orders()).allSatisfy((order) -> assertThat(order.ordered().applied()).isEqualTo(5));
			application.assertRecorderIsLoaded(OrderJobs.class);
		}
	}

	private static Summary summary(RestTestClient site) {
		return site.get()
			.uri("/orders")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(Summary.class)
			.returnResult()
			.getResponseBody();
	}

}

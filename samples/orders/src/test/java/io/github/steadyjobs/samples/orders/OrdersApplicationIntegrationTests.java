package io.github.steadyjobs.samples.orders;

import java.time.Duration;

import io.github.steadyjobs.samples.orders.OrderHistory.Summary;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the shop as a running application, over HTTP and with an embedded Redis.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "orders.versions=20", "orders.pause=50ms", "orders.failures=0.2" })
class OrdersApplicationIntegrationTests {

	private RestTestClient site;

	@BeforeEach
	void setUp(@LocalServerPort int port) {
		this.site = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
	}

	@Test
	void streamWithFailuresAndRestartsNeverTakesAnOrderBackwards() {
		Summary summary = Awaitility.await().atMost(Duration.ofSeconds(120)).until(this::summary, Summary::ended);
		assertThat(summary.ordered().backwards()).isZero();
		assertThat(summary.orders()).hasSize(50).allSatisfy((order) -> {
			assertThat(order.ordered().applied()).isEqualTo(20);
			assertThat(order.ordered().backwards()).isZero();
		});
		assertThat(summary.restarts()).isGreaterThanOrEqualTo(2);
		assertThat(summary.ordered().failed()).isPositive();
		assertThat(summary.ordered().merged()).isPositive();
		assertThat(summary.ordered().runs()).isLessThan(summary.plain().runs());
		// The same updates lose their order in plain jobs, so the test is meaningful.
		assertThat(summary.plain().applied()).isEqualTo(1000);
		assertThat(summary.plain().runs()).isGreaterThanOrEqualTo(1000);
		assertThat(summary.plain().backwards()).isPositive();
	}

	private Summary summary() {
		return this.site.get()
			.uri("/orders")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(Summary.class)
			.returnResult()
			.getResponseBody();
	}

	@Test
	void streamWhenOneIsBeingSentIsRefused() {
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> post("/stream") == HttpStatus.CONFLICT.value());
	}

	@Test
	void restartIsCounted() {
		int before = summary().restarts();
		assertThat(post("/restart")).isEqualTo(HttpStatus.NO_CONTENT.value());
		assertThat(summary().restarts()).isGreaterThan(before);
	}

	private int post(String path) {
		return this.site.post().uri(path).exchange().returnResult().getStatus().value();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/orders.css", "/orders.js", "/icon.svg", "/actuator/health", "/jobs/" })
	void siteServes(String path) {
		this.site.get().uri(path).exchange().expectStatus().isOk();
	}

}

package io.github.steadyjobs.samples.quickstart;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the page shows waiting jobs. Workers are disabled, so that the jobs keep
 * waiting.
 */
@Tag("browser")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "steadyjobs.worker.enabled=false")
class BacklogBrowserTests {

	private final Browser browser = Browser.start();

	@AfterEach
	void close() {
		this.browser.close();
	}

	@Test
	void demoShowsItsBacklog(@LocalServerPort int port) {
		this.browser.open("http://localhost:" + port + "/");
		this.browser.click("#demo");
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.browser.text("#summary"), "200 waiting, 0 running."::equals);
		assertThat(this.browser.text("[data-queue=default] [data-count=ready]")).isEqualTo("200");
		int bar = this.browser.evaluate("document.querySelector('[data-queue=default] .bar').clientWidth").asInt();
		Awaitility.await()
			.until(() -> this.browser.evaluate("document.querySelector('[data-queue=default] .bar i').clientWidth")
				.asInt() == bar);
	}

}

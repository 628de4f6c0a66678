package io.github.steadyjobs.samples.orders;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the page, in a real browser.
 */
@Tag("browser")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "orders.orders=20", "orders.versions=10", "orders.pause=100ms" })
class PageBrowserTests {

	private final Browser browser = Browser.start();

	@BeforeEach
	void openAtTheEndOfTheStream(@LocalServerPort int port) {
		this.browser.open("http://localhost:" + port + "/");
		await().until(() -> this.browser.text("#state").startsWith("The stream has ended"));
	}

	@AfterEach
	void close() {
		this.browser.close();
	}

	@Test
	void pageShowsThatNoOrderWentBackwards() {
		assertThat(this.browser.text("#state"))
			.startsWith("The stream has ended: 200 of 200 updates applied, workers restarted ");
		assertThat(this.browser.text(".verdict[data-lane=ordered] b")).isEqualTo("0");
		assertThat(this.browser.text(".verdict[data-lane=plain] b")).isNotEqualTo("0");
		assertThat(this.browser.text("#totals [data-lane=ordered] [data-count=applied]")).isEqualTo("200");
		assertThat(this.browser.evaluate("document.querySelectorAll('#orders tbody tr').length").asInt()).isEqualTo(20);
		assertThat(this.browser.evaluate("document.querySelectorAll('#runs li').length").asInt()).isEqualTo(12);
	}

	@Test
	void buttonsRestartTheWorkersAndSendAnotherStream() {
		this.browser.click("#again");
		await().until(() -> this.browser.text("#state"), (state) -> !state.startsWith("The stream has ended"));
		this.browser.click("#restart");
		await().until(() -> this.browser.text("#state"), (state) -> state.endsWith("restarted 3 times."));
		this.browser.screenshot("running");
	}

	@Test
	void pageLinksToTheDashboardThatShowsBothJobs() {
		this.browser.click("header nav a");
		await().until(() -> this.browser.text("h1").equals("Overview"));
		this.browser.open(this.browser.evaluate("new URL('names', location.href).href").asString());
		assertThat(this.browser.text("#names")).contains("OrderJobs.apply ", "OrderJobs.applyInAnyOrder ");
	}

	@ParameterizedTest
	@CsvSource({ "1280, 900, false, desktop", "1280, 900, true, dark", "360, 780, false, phone" })
	void pageFitsTheScreenWithoutComplaints(int width, int height, boolean dark, String name) {
		this.browser.resize(width, height, dark);
		assertThat(this.browser.evaluate("document.documentElement.scrollWidth").asInt()).isLessThanOrEqualTo(width);
		assertThat(this.browser.complaints()).isEmpty();
		this.browser.screenshot(name);
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(60));
	}

}

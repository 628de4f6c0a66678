package io.github.steadyjobs.samples.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "quickstart.retry-delay=50ms")
class PageBrowserTests {

	private final Browser browser = Browser.start();

	@TempDir
	private Path directory;

	@BeforeEach
	void open(@LocalServerPort int port) {
		this.browser.open("http://localhost:" + port + "/");
		await().until(() -> rows() == 3);
	}

	@AfterEach
	void close() {
		this.browser.close();
	}

	@Test
	void uploadWhenItIsAPictureShowsIt() throws IOException {
		upload("beach.jpg", Pictures.jpeg(640, 480));
		await().until(() -> this.browser.isVisible(card("beach.jpg") + " img"));
		assertThat(this.browser.text(card("beach.jpg"))).isEqualTo("beach.jpg");
		this.browser.click(card("beach.jpg") + " a");
		await().until(() -> this.browser.evaluate("location.pathname").asString().endsWith("/large"));
	}

	@Test
	void uploadWhenItFailsCanBeClickedAndSaysWhy() throws IOException {
		upload("broken.jpg", "no picture".getBytes());
		await().until(() -> this.browser.text(card("broken.jpg")).contains("Attempt 4 of 4"));
		this.browser.click(card("broken.jpg") + " button");
		assertThat(this.browser.text("#failure")).contains("broken.jpg", "No picture of a known kind", "4 of 4",
				"Dead: the job is kept for 180 days");
		await().until(() -> count("photos", "dead") > 0);
		this.browser.screenshot("failure");
		assertThat(this.browser.evaluate("""
				(() => {
					const page = new XMLHttpRequest();
					page.open('GET', document.querySelector('#failure .job-page').href, false);
					page.send();
					return page.responseText;
				})()""").asString()).contains("PhotoJobs.thumbnails", "Its last failures",
				"No picture of a known kind");
		this.browser.click("#failure .button");
		assertThat(this.browser.isVisible("#failure")).isFalse();
	}

	@Test
	void uploadWhenLoadIsMadeStaysInSight() throws IOException {
		upload("mine.jpg", Pictures.jpeg(640, 480));
		this.browser.evaluate("fetch('demo?photos=40', { method: 'POST' })");
		await().until(() -> this.browser.evaluate("document.querySelectorAll('#demos .card').length").asInt() == 24);
		assertThat(this.browser.isVisible(card("mine.jpg"))).isTrue();
		this.browser.screenshot("load");
	}

	@Test
	void pageShowsEachRunOfTheJobThatRecurs() {
		await().until(() -> runs() >= 2);
		String gap = "Date.parse(document.querySelectorAll('#runs time')[0].dateTime) "
				+ "- Date.parse(document.querySelectorAll('#runs time')[1].dateTime)";
		assertThat(this.browser.evaluate(gap).asInt()).isEqualTo(10_000);
		assertThat(this.browser.text("#next")).matches("\\d+ photos, \\d+ ready. Next at \\d\\d:\\d\\d:\\d\\d.");
		this.browser.screenshot("recurring");
	}

	@ParameterizedTest
	@CsvSource({ "1280, 900, false, desktop", "1280, 900, true, dark", "360, 780, false, phone" })
	void pageFitsTheScreenWithoutComplaints(int width, int height, boolean dark, String name) {
		this.browser.resize(width, height, dark);
		assertThat(this.browser.evaluate("document.documentElement.scrollWidth").asInt()).isLessThanOrEqualTo(width);
		assertThat(this.browser.complaints()).isEmpty();
		this.browser.screenshot(name);
	}

	@Test
	void pageLinksToTheDashboardAndActuator() {
		String statuses = """
				(() => {
					const open = (url) => { const r = new XMLHttpRequest(); r.open('GET', url, false); r.send(); return r.status; };
					return [...document.querySelectorAll('header nav a')].map((link) => open(link.href));
				})()""";
		assertThat(this.browser.evaluate(statuses).toString()).isEqualTo("[200,200,200,200,200]");
	}

	private void upload(String name, byte[] content) throws IOException {
		this.browser.chooseFile("#files", Files.write(this.directory.resolve(name), content));
		await()
			.until(() -> this.browser.evaluate("document.querySelector(\"" + card(name) + "\") != null").asBoolean());
	}

	private static String card(String name) {
		return "#uploads .card:has([title='" + name + "'])";
	}

	private int rows() {
		return this.browser.evaluate("document.querySelectorAll('#queues tbody tr').length").asInt();
	}

	private int runs() {
		return this.browser.evaluate("document.querySelectorAll('#runs li').length").asInt();
	}

	private int count(String queue, String count) {
		return Integer.parseInt(this.browser.text("[data-queue=" + queue + "] [data-count=" + count + "]"));
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(60));
	}

}

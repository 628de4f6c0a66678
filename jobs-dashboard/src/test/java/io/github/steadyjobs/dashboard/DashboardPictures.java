package io.github.steadyjobs.dashboard;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.ScreenshotOptions;
import com.microsoft.playwright.options.ColorScheme;
import io.github.steadyjobs.support.OwnRedis;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Takes the pictures of docs/dashboard.md: the two samples under load, while operators
 * work and a process dies. It is not part of a build, because each run takes different
 * pictures. To run it: {@code docs/dashboard/pictures.sh}.
 */
@Tag("browser")
class DashboardPictures {

	private static final Path DIRECTORY = Path.of("..", "docs", "dashboard");

	private static final int WIDTH = 1280;

	private static final int TALLEST = 1100;

	/** Height of a picture of a long list. */
	private static final int LIST = 800;

	private static final Duration LOAD = Duration.ofMinutes(Integer.getInteger("minutes", 10));

	/** Files that are not pictures, each for a different reason. */
	private static final Map<String, String> BROKEN = Map.of("scan.pdf", "%PDF-1.7", "empty.png", "\u0089PNG\r\n",
			"cut.gif", "GIF89a", "notes.txt", "Pictures of the garden");

	private final Random random = new Random(1);

	@Test
	void takePictures() throws Exception {
		try (OwnRedis redis = OwnRedis.startDurable();
				SampleProcess photos = SampleProcess.start("quickstart", "spring.application.version=1.4.2");
				SampleProcess orders = startOrders(redis);
				SampleProcess otherOrders = startOrders(redis, "orders.stream=false");
				Chromium chromium = Chromium.start()) {
			operate(photos);
			load(photos, orders, LOAD.dividedBy(2));
			photos.change("history", """
					{"action":"mark","who":"grace","label":"quickstart 1.4.3"}""");
			load(photos, orders, LOAD.dividedBy(2));
			operateAfterLoad(photos);
			new Album(chromium, photos).takePhotos();
			killSomeUpdates(orders);
			new Album(chromium, orders).takeOrders(otherOrders);
		}
	}

	private static SampleProcess startOrders(OwnRedis redis, String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.addAll(List.of("spring.data.redis.url=" + redis.url(), "spring.application.version=2.0.0",
				"orders.work=800ms", "orders.failures=0.05", "orders.pause=1s"));
		return SampleProcess.start("orders", all.toArray(String[]::new));
	}

	private static void operate(SampleProcess photos) throws IOException {
		photos.change("queues/low",
				"""
						{"action":"pause","who":"ada","why":"The contact sheet gets a new frame, see PHOTO-118","until":"4h"}""");
		photos.change("pauses/PhotoJobs.expire", """
				{"action":"pause","who":"grace","why":"Keep all photos until the exhibition is over"}""");
		photos.change("recurring/nightly-sheet",
				"""
						{"action":"create","who":"ada","job":"ContactSheets.build","cron":"0 0 3 * * *","zone":"Europe/Berlin"}""");
		photos.change("recurring/census", """
				{"action":"trigger","who":"grace"}""");
	}

	private void load(SampleProcess photos, SampleProcess orders, Duration length) throws Exception {
		Instant end = Instant.now().plus(length);
		for (int round = 0; Instant.now().isBefore(end); round++) {
			photos.post("/demo?photos=" + this.random.nextInt(2, 14));
			if (round % 4 == 0) {
				uploadBroken(photos);
			}
			if (round % 12 == 0) {
				orders.post("/stream");
			}
			// The chart of queue sizes begins when somebody opens the page.
			photos.page("queues");
			Thread.sleep(5000);
		}
	}

	private void uploadBroken(SampleProcess photos) throws IOException {
		String name = BROKEN.keySet().stream().skip(this.random.nextInt(BROKEN.size())).findFirst().orElseThrow();
		photos.upload("/photos", name, BROKEN.get(name));
	}

	private void operateAfterLoad(SampleProcess photos) throws IOException {
		await().until(() -> count(photos, "dead") > 2);
		photos.change("dead", """
				{"action":"retry","who":"ada","name":"PhotoJobs.*"}""");
		await().until(() -> count(photos, "dead") > 2);
		photos.change("job/" + first(photos, "list?place=dead"), """
				{"action":"delete","who":"ada"}""");
		for (String name : BROKEN.keySet()) {
			photos.upload("/photos", name, BROKEN.get(name));
		}
		photos.post("/demo?photos=400");
		await().until(() -> count(photos, "retries") > 2 && count(photos, "ready") > 200);
	}

	/** Kill waiting updates of orders, so that there are updates to revive. */
	private static void killSomeUpdates(SampleProcess orders) throws IOException {
		orders.post("/stream");
		for (int killed = 0; killed < 2; killed++) {
			await().until(() -> {
				String id = first(orders, "list?place=ready&name=OrderJobs.apply");
				return !id.isEmpty() && orders.press("kill", Map.of("id", id, "place", "ready")) == 303;
			});
		}
	}

	/**
	 * Return how many jobs there are in a place, as the tabs of the page of jobs show.
	 */
	private static int count(SampleProcess sample, String place) throws IOException {
		Document page = sample.page("list?place=" + place);
		return Integer.parseInt(page.select("#places [aria-current] span").text().replace(",", ""));
	}

	/** Return the id of the first job of a list, empty if there is none. */
	private static String first(SampleProcess sample, String address) throws IOException {
		Element job = sample.page(address).selectFirst("#jobs tbody th a");
		return (job != null) ? job.attr("href").replaceFirst(".*=", "") : "";
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(500)).atMost(Duration.ofMinutes(2));
	}

	/**
	 * The pictures of a sample.
	 */
	private static final class Album {

		private final Chromium chromium;

		private final SampleProcess sample;

		private final Page page;

		Album(Chromium chromium, SampleProcess sample) {
			this.chromium = chromium;
			this.sample = sample;
			this.page = page(WIDTH, ColorScheme.LIGHT);
		}

		void takePhotos() throws IOException {
			take("overview", "");
			take("queues", "queues");
			take("queue", "queue?name=photos");
			takeList("jobs", "list?place=dead&error=javax.imageio.*");
			takeQuestion();
			take("job", "job?id=" + first(this.sample, "list?place=dead&error=javax.imageio.*"));
			take("names", "names");
			take("name", "name?name=PhotoJobs.thumbnails");
			take("recurring", "recurring");
			take("recurring-job", "recurring-job?name=census");
			take("pauses", "pauses");
			takeList("locks", "locks");
			take("doctor", "doctor");
			take("audit", "audit-report");
			take("activity", "activity");
			take(page(WIDTH, ColorScheme.DARK), "overview-dark", "", TALLEST);
			take(page(390, ColorScheme.LIGHT), "overview-phone", "", TALLEST);
		}

		void takeOrders(SampleProcess other) {
			takeList("running", "running");
			other.kill();
			await().until(() -> this.sample.page("processes").select(".tag").eachText(),
					(states) -> states.containsAll(List.of("running", "silent")));
			take("processes", "processes");
			// Wait until there are so few keys that the picture also shows dead payloads.
			await().atMost(Duration.ofMinutes(5))
				.until(() -> this.sample.page("ordered").select("#keys tbody tr").size(),
						(keys) -> keys > 0 && keys < 9);
			take("ordered", "ordered");
		}

		private void takeQuestion() {
			this.page.setViewportSize(WIDTH, LIST);
			this.page.locator("text=Retry all").click();
			this.page.locator("dialog form").waitFor();
			save(this.page, "question");
		}

		private void take(String name, String address) {
			take(this.page, name, address, TALLEST);
		}

		private void takeList(String name, String address) {
			take(this.page, name, address, LIST);
		}

		/**
		 * Take a picture that is as tall as the content of the page, but not taller than
		 * the given number of pixels.
		 */
		private void take(Page page, String name, String address, int tallest) {
			int width = page.viewportSize().width;
			page.setViewportSize(width, 500);
			page.navigate(this.sample.url("/jobs/" + address));
			int height = (Integer) page.evaluate("document.documentElement.scrollHeight");
			page.setViewportSize(width, Math.min(tallest, height));
			save(page, name);
		}

		private Page page(int width, ColorScheme colors) {
			return this.chromium.page(new Browser.NewContextOptions().setViewportSize(width, 500)
				.setIsMobile(width < WIDTH)
				.setColorScheme(colors));
		}

		private static void save(Page page, String name) {
			page.screenshot(new ScreenshotOptions().setPath(DIRECTORY.resolve(name + ".png")));
		}

	}

}

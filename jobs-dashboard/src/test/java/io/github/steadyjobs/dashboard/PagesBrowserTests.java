package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.admin.JobProcess;
import io.github.steadyjobs.admin.JobProcesses;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the pages in a browser.
 */
@Tag("browser")
@RedisTest
class PagesBrowserTests {

	private static final double PATIENCE = 30_000;

	private static Chromium chromium;

	private static ServedDashboard dashboard;

	/** A job that was killed. */
	private String dead = "";

	/** A job that has failed for the last time. */
	private String failed = "";

	private final TestRedis redis;

	PagesBrowserTests(TestRedis redis) {
		this.redis = redis;
	}

	@BeforeAll
	static void start(TestRedis redis) {
		PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE);
		chromium = Chromium.start();
		dashboard = ServedDashboard.run(Application.class, "spring.application.name=shop",
				"spring.data.redis.url=" + redis.url(), "steadyjobs.prefix=" + redis.prefix(),
				"steadyjobs.liveness.beat=200ms", "steadyjobs.worker.remote-stop=workers",
				"steadyjobs.doctor.severity.persistence=off");
	}

	@AfterAll
	static void stop() {
		chromium.close();
		dashboard.close();
	}

	@BeforeEach
	void enqueue() {
		this.redis.template()
			.opsForSet()
			.add(this.redis.prefix() + ":queues", "mail", "newsletters", "archive", "bills", "reports", "orders#0",
					"orders#1", "orders#2", "orders#3", "orders#4");
		JobClient client = dashboard.bean(JobClient.class);
		for (int i = 0; i < 3; i++) {
			String id = client.enqueue(send("<b>ada</b>")).id();
			dashboard.bean(JobAdmin.class).change(JobAction.KILL, id);
		}
		for (int i = 0; i < 40; i++) {
			client.enqueue(send("a").queue("newsletters"));
		}
		client.enqueue(send("a").after(Duration.ofHours(1)));
		client.enqueue(JobRequest.named("ShopJobs.bill", "ada").after(Duration.ofHours(2)));
		client.enqueue(JobRequest.named("ShopJobs.hold", "the yearly report"));
		this.dead = client.enqueue(JobRequest.named("ShopJobs.ship", "o-7", 3)).id();
		dashboard.bean(JobAdmin.class).change(JobAction.KILL, this.dead);
		client.enqueue(JobRequest.named("ShopJobs.ship", "o-8", 1).after(Duration.ofMinutes(3)));
		this.failed = client.enqueue(JobRequest.named("MailJobs.fail", "swordfish")).id();
		dashboard.bean(JobPauses.class).pauseQueue("newsletters", "ada", "The relay is down, see INC-4711");
		PastRuns past = new PastRuns(dashboard.bean(RedisConnections.class), this.redis.prefix());
		for (int i = 0; i < 60; i++) {
			past.add(Instant.now().minus(Duration.ofMinutes(i)), 100 + i * 7 % 40, i % 5);
		}
		past.mark(Instant.now().minus(Duration.ofMinutes(20)), "shop 1.4.2");
		dashboard.bean(Launcher.class).start();
		Awaitility.await()
			.until(() -> dashboard.bean(JobProcesses.class)
				.list()
				.stream()
				.anyMatch(
						(process) -> process.running().stream().anyMatch((run) -> run.job().equals("ShopJobs.hold"))));
		dashboard.bean(Samples.class).expire();
	}

	@AfterEach
	void stopWorkers() {
		dashboard.bean(ShopJobs.class).end();
		dashboard.bean(Launcher.class).stop();
		List<String> complaints = List.copyOf(chromium.complaints());
		chromium.complaints().clear();
		assertThat(complaints).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "1280, LIGHT", "1280, DARK", "390, LIGHT", "390, DARK" })
	void pagesAreAccessible(int width, ColorScheme colors) {
		List<String> problems = new ArrayList<>();
		Page page = chromium.page(width, colors);
		for (String address : List.of("", "queues", "queue?name=mail", "queue?name=newsletters", "list",
				"list?place=dead", "list?place=dead&name=*fail&text=sword", "list?place=retries",
				"job?id=" + this.failed, "job?id=" + this.dead, "running", "names", "name?name=MailJobs.send",
				"recurring", "recurring-job?name=ShopJobs.nightly", "ordered", "processes", "pauses", "locks", "doctor",
				"audit", "audit-report", "activity", "pause?queue=mail", "purge?queue=mail&place=dead",
				"retry-all?place=dead&queue=mail", "edit?id=" + this.failed, "reschedule?id=" + this.failed,
				"move?id=" + this.failed, "create-recurring", "nothing")) {
			open(page, address);
			String name = address.replaceAll("[0-9a-f]{24}", (address.endsWith(this.dead) ? "dead" : "failed"))
				.replaceAll("\\W+", "-");
			problems.addAll(
					Chromium.violations(page, "%s-%d-%s".formatted(name.isEmpty() ? "overview" : name, width, colors)));
			int needed = (Integer) page.evaluate("document.documentElement.scrollWidth");
			if (needed > width) {
				problems.add("%s is %d pixels wide".formatted(address, needed));
			}
		}
		// One of the pages does not exist, and the browser reports this as an error.
		chromium.complaints().removeIf((complaint) -> complaint.contains("404"));
		assertThat(problems).isEmpty();
		page.context().close();
	}

	@Test
	void pageRefreshesItself() {
		Page page = chromium.page();
		open(page, "queue?name=archive");
		assertThat(page.locator("#live")).hasText("Live");
		Locator waiting = page.locator(".places tr:has-text('Scheduled') .number");
		assertThat(waiting).hasText("0");
		dashboard.bean(JobClient.class).enqueue(send("a").queue("archive").after(Duration.ofHours(1)));
		assertThat(waiting).hasText("1");
		assertThat(page.locator("#read-at")).hasText(Pattern.compile("now|\\ds ago"));
		page.context().close();
	}

	@Test
	void updatesCanBePausedAndThatIsRemembered() {
		Page page = chromium.page();
		open(page, "pauses");
		page.locator("#live").click();
		assertThat(page.locator("#live")).hasText("Updates are off");
		open(page, "queues");
		assertThat(page.locator("#live")).hasAttribute("aria-pressed", "false");
		int before = requests(page);
		page.waitForTimeout(6000);
		assertThat(requests(page)).isEqualTo(before);
		page.locator("#live").click();
		assertThat(page.locator("#live")).hasText("Live");
		assertThat(requests(page)).isGreaterThan(before);
		page.context().close();
	}

	@Test
	void updateLeavesAloneWhatHasFocusOrIsOpen() {
		Page page = chromium.page();
		open(page, "processes");
		page.locator("#process-list a").first().focus();
		page.evaluate("document.querySelector('#process-list').dataset.mine = 'yes'");
		Awaitility.await().until(() -> requests(page) > 0);
		page.waitForTimeout(1000);
		assertThat(page.locator("#process-list")).hasAttribute("data-mine", "yes");
		page.evaluate("document.activeElement.blur()");
		assertThat(page.locator("#process-list[data-mine]")).hasCount(0);
		page.context().close();
	}

	@Test
	void updateAtRestIsAnswered304() {
		Page page = chromium.page();
		List<Integer> statuses = new CopyOnWriteArrayList<>();
		page.onResponse((response) -> {
			if (response.request().headers().containsKey("hx-request")) {
				statuses.add(response.status());
			}
		});
		open(page, "pauses");
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
			page.waitForTimeout(500);
			return statuses.size() >= 2;
		});
		assertThat(statuses).startsWith(200, 304);
		assertThat(page.locator("#live")).hasText("Live");
		page.context().close();
	}

	@Test
	void pageSaysThatTheServerDoesNotAnswer() {
		Page page = chromium.page();
		open(page, "queues");
		page.route("**/queues", (route) -> route.abort());
		assertThat(page.locator("#live")).hasText("No answer");
		page.unroute("**/queues");
		assertThat(page.locator("#live")).hasText("Live");
		chromium.complaints().removeIf((complaint) -> complaint.contains("ERR_FAILED") || complaint.contains("htmx:"));
		page.context().close();
	}

	@Test
	void queueIsPausedAndResumedInADialog() {
		Page page = chromium.page();
		open(page, "queue?name=mail");
		page.locator("text=Pause…").click();
		assertThat(page.locator("dialog")).isVisible();
		assertThat(page.locator("dialog [name=why]")).isFocused();
		Chromium.assertAccessible(page, "dialog-pause");
		page.keyboard().press("Escape");
		assertThat(page.locator("dialog")).isHidden();
		assertThat(page.locator("text=Pause…")).isFocused();

		page.locator("text=Pause…").click();
		page.locator("dialog [name=why]").fill("The relay is down");
		page.locator("dialog select").selectOption("1 hour");
		page.locator("dialog button").click();
		assertThat(page.locator("#notice")).hasText("It is paused now.");
		assertThat(page.locator("#queue-state .notice")).containsText("The relay is down");
		assertThat(page.url()).endsWith("/queue?name=mail");
		assertThat(dashboard.bean(JobPauses.class).list()).extracting((pause) -> pause.name()).contains("mail");

		page.locator("text=Resume…").click();
		page.locator("dialog button").click();
		assertThat(page.locator("#notice")).hasText("It continues.");
		assertThat(dashboard.bean(JobPauses.class).list()).extracting((pause) -> pause.name()).doesNotContain("mail");
		page.context().close();
	}

	@Test
	void deadJobsAreDeletedAfterAQuestion() {
		Page page = chromium.page();
		open(page, "queue?name=mail");
		page.locator("tr:has-text('Dead') >> text=Delete all…").click();
		assertThat(page.locator("dialog")).containsText("Delete all dead jobs of queue mail");
		page.locator("dialog >> text=Cancel").click();
		assertThat(page.locator("dialog")).isHidden();
		assertThat(this.redis.contents("mail")).containsKey("dead");
		page.locator("tr:has-text('Dead') >> text=Delete all…").click();
		page.locator("dialog >> text=Delete 4 jobs").click();
		assertThat(page.locator("#notice")).hasText("4 jobs were deleted.");
		assertThat(this.redis.contents("mail")).doesNotContainKey("dead");
		page.context().close();
	}

	@Test
	void jobsThatAFilterFindsAreRetriedInADialog() {
		Page page = chromium.page();
		open(page, "list");
		page.locator("text=Dead >> nth=0").click();
		page.locator("[name=name]").fill("MailJobs.*");
		page.locator("[name=text]").fill("ada");
		page.keyboard().press("Enter");
		assertThat(page.locator("#jobs tbody tr")).hasCount(3);
		page.locator("text=Retry all…").click();
		assertThat(page.locator("dialog .facts")).containsText("Text anywhere in the job");
		assertThat(page.locator("dialog h2")).hasText("Retry 3 jobs");
		Chromium.assertAccessible(page, "dialog-retry-all");
		page.locator("dialog button").click();
		assertThat(page.locator("#notice")).hasText("3 jobs were changed.");
		assertThat(page.locator("#jobs .empty")).isVisible();
		assertThat(this.redis.template().opsForZSet().size(this.redis.key("mail", "dead"))).isEqualTo(1);
		page.context().close();
	}

	@Test
	void bulkGoesOnByItselfUntilItIsDoneUnlessItIsOpenedFromElsewhere() {
		Page page = chromium.page();
		page.route("**/delete-all", (route) -> route.fulfill(new Route.FulfillOptions().setStatus(204)));
		String rest = "delete-all?place=dead&queue=mail&after=9999999999999%20000000000000000000000000&done=120"
				+ "&examined=300&total=1000";
		open(page, rest);
		assertThat(page.locator("form .danger-text")).hasText("This cannot be undone.");
		page.evaluate("(address) => location.assign(address)", rest);
		assertThat(page.locator(".figure")).hasText("120 jobs are done");
		Chromium.assertAccessible(page, "progress");
		page.unroute("**/delete-all");
		page.evaluate("(address) => location.assign(address)", rest);
		assertThat(page.locator("#notice")).hasText("124 jobs were changed.");
		assertThat(this.redis.contents("mail")).doesNotContainKey("dead");
		page.context().close();
	}

	@Test
	void jobIsEditedAndRescheduledInTheZoneOfTheViewer() {
		Page page = chromium.page(new Browser.NewContextOptions().setTimezoneId("Asia/Tokyo").setLocale("en-GB"));
		open(page, "job?id=" + this.failed);
		assertThat(page.locator("#job-failure")).containsText("The password is swordfish");
		page.locator("text=Edit…").click();
		assertThat(page.locator("dialog textarea")).isFocused();
		Chromium.assertAccessible(page, "dialog-edit");
		page.locator("dialog textarea").fill("[\"marlin\"");
		page.locator("dialog button").click();
		assertThat(page.locator("main form .notice")).isVisible();
		chromium.complaints().removeIf((complaint) -> complaint.contains("400"));
		page.locator("main textarea").fill("[\"marlin\"]");
		page.locator("main form button").click();
		assertThat(page.locator("#notice")).hasText("It is done.");
		assertThat(page.locator("#job-payload pre")).containsText("marlin");

		page.locator("text=Reschedule…").click();
		assertThat(page.locator("dialog [data-zone]")).hasText("Asia/Tokyo");
		page.locator("dialog [type=datetime-local]").fill("2031-02-03T04:05:06");
		page.locator("dialog button").click();
		assertThat(page.locator("#job-state .tag")).hasText("Scheduled");
		assertThat(dashboard.bean(JobAdmin.class).find(this.failed).orElseThrow().job().time())
			.isEqualTo(Instant.parse("2031-02-02T19:05:06Z"));
		page.context().close();
	}

	@Test
	void jobThatRunsShowsItsStackAndIsCancelled() {
		Page page = chromium.page();
		open(page, "running");
		page.locator("text=Stack…").click();
		page.locator("dialog button").click();
		assertThat(page.locator("#dump pre")).containsText("ShopJobs.hold");
		Chromium.assertAccessible(page, "stack");
		open(page, "running");
		page.locator("text=Cancel…").click();
		page.locator("dialog select").selectOption("Interrupt its thread");
		page.locator("dialog button").click();
		assertThat(page.locator("#notice")).hasText("The job is cancelled.");
		assertThat(page.locator("#running .empty")).isVisible();
		page.context().close();
	}

	@Test
	void recurringJobIsCreatedWithTheKeyboard() {
		Page page = chromium.page();
		open(page, "recurring");
		page.locator("text=New recurring job…").focus();
		page.keyboard().press("Enter");
		assertThat(page.locator("dialog [name=name]")).isFocused();
		Chromium.assertAccessible(page, "dialog-create-recurring");
		page.keyboard().type("often");
		page.keyboard().press("Tab");
		page.keyboard().type("ShopJobs.nightly");
		page.locator("dialog [name=every]").focus();
		page.keyboard().type("10m");
		page.keyboard().press("Enter");
		assertThat(page.locator("#notice")).hasText("The recurring job was created.");
		assertThat(dashboard.bean(RecurringJobs.class).find("often")).isPresent();
		page.locator("text=Delete…").click();
		page.locator("dialog button").click();
		assertThat(page.locator("#notice")).hasText("The recurring job was deleted.");
		assertThat(dashboard.bean(RecurringJobs.class).find("often")).isEmpty();
		page.context().close();
	}

	@Test
	void deadPayloadIsRevivedAndALockReleased() {
		Page page = chromium.page();
		open(page, "ordered");
		page.locator("text=Revive…").click();
		page.locator("dialog button").click();
		assertThat(page.locator("#notice")).hasText("One payload runs again.");
		open(page, "locks");
		page.locator("text=Release…").click();
		page.locator("dialog button").click();
		assertThat(page.locator("#notice")).hasText("The lock was released.");
		assertThat(page.locator("#locks .empty")).isVisible();
		page.context().close();
	}

	@Test
	void processIsMadeQuietAndDumpsItsThreads() {
		Page page = chromium.page();
		open(page, "processes");
		page.locator("text=Thread dump…").click();
		page.locator("dialog >> text=Dump its threads").click();
		assertThat(page.locator("#dump pre")).containsText("jobs-");
		Chromium.assertAccessible(page, "dump");
		page.locator("text=Back to the process").click();
		page.locator("text=Quiet…").click();
		page.locator("dialog >> text=Make it quiet").click();
		assertThat(page.locator("h2 .tag")).hasText("quiet");
		assertThat(dashboard.bean(JobProcesses.class).list()).extracting(JobProcess::state)
			.containsExactly(JobProcess.State.QUIET);
		dashboard.bean(ShopJobs.class).end();
		page.locator("text=Stop…").click();
		page.locator("dialog >> text=Stop the process").click();
		assertThat(page.locator("#process-list .empty")).containsText("No process runs jobs");
		page.context().close();
	}

	@Test
	void everythingIsReachedWithTheKeyboard() {
		Page page = chromium.page();
		open(page, "");
		page.keyboard().press("Tab");
		assertThat(page.locator(".skip")).isFocused();
		assertThat(page.locator(".skip")).isInViewport();
		for (String next : List.of("shop", "Overview", "Queues")) {
			page.keyboard().press("Tab");
			while (!String.valueOf(page.evaluate("document.activeElement.textContent")).contains(next)) {
				page.keyboard().press("Tab");
			}
			assertThat(page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).isEqualTo("solid");
		}
		page.keyboard().press("Enter");
		assertThat(page.locator("h1")).hasText("Queues");
		page.locator("text=mail").first().focus();
		page.keyboard().press("Enter");
		assertThat(page.locator("h1")).hasText("Queue mail");
		page.locator("text=Pause…").focus();
		page.keyboard().press("Enter");
		assertThat(page.locator("dialog [name=why]")).isFocused();
		page.keyboard().type("By hand");
		page.keyboard().press("Enter");
		assertThat(page.locator("#notice")).hasText("It is paused now.");
		page.context().close();
	}

	@Test
	void everythingWorksWithoutJavaScript() {
		Page page = chromium.page(new Browser.NewContextOptions().setJavaScriptEnabled(false));
		open(page, "");
		assertThat(page.locator("#live")).isHidden();
		page.locator("text='Day'").click();
		assertThat(page.locator(".tabs [aria-current]")).hasText("Day");
		page.locator("nav >> text=Queues").click();
		page.locator("text=mail").first().click();
		page.locator("text=Pause…").click();
		assertThat(page.locator("h2")).hasText("Pause queue mail");
		page.locator("[name=why]").fill("No script");
		page.locator("form button").click();
		assertThat(page.locator("#notice")).hasText("It is paused now.");
		assertThat(page.locator("#queue-state time").first()).containsText("UTC");
		page.context().close();
	}

	@Test
	void timesAreInTheZoneOfTheViewer() {
		Page page = chromium.page(new Browser.NewContextOptions().setTimezoneId("Asia/Tokyo").setLocale("en-GB"));
		open(page, "");
		String utc = (String) page.evaluate("document.querySelector('.times time').dateTime");
		String shown = page.locator(".times time").first().textContent();
		int hours = Integer.parseInt(shown.substring(0, 2)) - Integer.parseInt(utc.substring(11, 13));
		assertThat(Math.floorMod(hours, 24)).isEqualTo(9);
		page.context().close();
	}

	private static void open(Page page, String address) {
		page.navigate(dashboard.url("/jobs/" + address));
	}

	/** Return how many updates the page has requested so far. */
	private static int requests(Page page) {
		page.waitForTimeout(200);
		return (Integer) page.evaluate(
				"performance.getEntriesByType('resource').filter((e) => e.initiatorType === 'xmlhttprequest').length");
	}

	private static JobRequest send(String to) {
		return JobRequest.named("MailJobs.send", to);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(ServedDashboardIntegrationTests.Application.class)
	static class Application {

		@Bean(destroyMethod = "end")
		ShopJobs shopJobs() {
			return new ShopJobs();
		}

	}

}

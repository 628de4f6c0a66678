package io.github.steadyjobs.dashboard;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.ScreenshotOptions;
import com.microsoft.playwright.options.ColorScheme;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobProcesses;
import io.github.steadyjobs.admin.JobQuery;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.support.OwnRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Takes the pictures of docs/dashboard.md: a shop under load, while a mail server is
 * down. It is not part of a build, because each run takes different pictures. To run it:
 * {@code mvn -Pbrowser -pl jobs-dashboard -am test -Dtest=DashboardPictures
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 */
@Tag("browser")
class DashboardPictures {

	private static final Path DIRECTORY = Path.of("..", "docs", "dashboard");

	private static final int WIDTH = 1280;

	private static final int TALLEST = 1100;

	@Test
	void takePictures() {
		try (OwnRedis redis = OwnRedis.start();
				ServedDashboard dashboard = ServedDashboard.run(Shop.class, "spring.application.name=shop",
						"spring.application.version=1.4.2", "spring.data.redis.url=" + redis.url(),
						"steadyjobs.liveness.beat=500ms", "steadyjobs.worker.remote-stop=workers",
						"steadyjobs.doctor.severity.persistence=off",
						"steadyjobs.capsules.default.queues=mail,images,reports,bills,orders,newsletters",
						"steadyjobs.capsules.default.concurrency=8");
				Chromium chromium = Chromium.start()) {
			fill(dashboard);
			JobAdmin admin = dashboard.bean(JobAdmin.class);
			String dead = admin.page(JobQuery.of(JobPlace.DEAD).error("java.net.*").size(1)).jobs().get(0).id();
			Page page = page(chromium, WIDTH, ColorScheme.LIGHT);
			take(page, dashboard, "overview", "");
			take(page, dashboard, "queues", "queues");
			take(page, dashboard, "queue", "queue?name=mail");
			take(page, dashboard, "jobs", "list?place=dead&error=java.net.*");
			take(page, dashboard, "job", "job?id=" + dead);
			take(page, dashboard, "running", "running");
			take(page, dashboard, "names", "names");
			take(page, dashboard, "name", "name?name=InvoiceJobs.send");
			take(page, dashboard, "recurring", "recurring");
			take(page, dashboard, "recurring-job", "recurring-job?name=stock");
			take(page, dashboard, "ordered", "ordered");
			take(page, dashboard, "processes", "processes");
			take(page, dashboard, "pauses", "pauses");
			take(page, dashboard, "locks", "locks");
			take(page, dashboard, "doctor", "doctor");
			take(page, dashboard, "audit", "audit-report");
			take(page, dashboard, "activity", "activity");
			page.setViewportSize(WIDTH, 800);
			open(page, dashboard, "list?place=dead&error=java.net.*");
			page.locator("text=Retry all").click();
			page.locator("dialog form").waitFor();
			save(page, "question", false);
			take(page(chromium, WIDTH, ColorScheme.DARK), dashboard, "overview-dark", "");
			take(page(chromium, 390, ColorScheme.LIGHT), dashboard, "overview-phone", "");
			dashboard.bean(ShopJobs.class).end();
			dashboard.bean(Launcher.class).stop();
		}
	}

	private static void fill(ServedDashboard dashboard) {
		PastRuns past = new PastRuns(dashboard.bean(RedisConnections.class), "steadyjobs");
		for (int minute = 1; minute < 60; minute++) {
			Instant at = Instant.now().minus(Duration.ofMinutes(minute));
			// A mail server went down a quarter of an hour ago.
			past.add("InvoiceJobs.send", at, 180 + minute * 13 % 60, (minute < 15) ? 30 + minute % 7 : minute % 4);
			past.add("ImageJobs.scale", at, 90 + minute * 29 % 50, 0);
			past.add("ShopJobs.ship", at, 40 + minute * 17 % 30, 0);
		}
		past.mark(Instant.now().minus(Duration.ofMinutes(16)), "shop 1.4.1");
		JobClient client = dashboard.bean(JobClient.class);
		JobAdmin admin = dashboard.bean(JobAdmin.class);
		dashboard.bean(Launcher.class).start();
		for (int order = 1; order <= 400; order++) {
			client
				.enqueue(JobRequest.named("InvoiceJobs.send", order, "customer-%d@example.com".formatted(order * 37)));
		}
		runAgain(admin, "java.*");
		runAgain(admin, "java.net.ConnectException");
		awaitMail(admin);
		client.enqueue(JobRequest.named("ShopJobs.hold", "the yearly report"));
		client.enqueue(JobRequest.named("ShopJobs.hold", "the tax report"));
		for (int order = 1; order <= 6; order++) {
			client.enqueue(JobRequest.named("ShopJobs.bill", "customer-" + order).after(Duration.ofHours(order)));
			client.enqueue(JobRequest.named("ShopJobs.ship", "o-" + order, order).after(Duration.ofMinutes(order)));
		}
		for (int payload = 1; payload <= 2; payload++) {
			String key = client.enqueue(JobRequest.named("ShopJobs.ship", "o-9", payload).after(Duration.ofHours(1)))
				.id();
			admin.change(JobAction.KILL, key);
		}
		for (int image = 0; image < 700; image++) {
			client.enqueue(JobRequest.named("ImageJobs.scale", "photo-%04d".formatted(image), 640));
		}
		for (int mail = 0; mail < 120; mail++) {
			client.enqueue(
					JobRequest.named("MailJobs.send", "reader-%d@example.com".formatted(mail)).queue("newsletters"));
		}
		dashboard.bean(JobPauses.class).pauseQueue("newsletters", "ada", "The mail server is down, see INC-4711");
		RecurringJobs recurring = dashboard.bean(RecurringJobs.class);
		recurring.create(recurring.read("stock", "ShopJobs.nightly", Map.of("every", "15m")));
		Awaitility.await()
			.until(() -> dashboard.bean(JobProcesses.class)
				.list()
				.stream()
				.anyMatch((process) -> process.running().size() > 4));
		dashboard.bean(Samples.class).expire();
	}

	/** Run failed jobs again now, instead of waiting until they are due. */
	private static void runAgain(JobAdmin admin, String error) {
		awaitMail(admin);
		admin.change(JobAction.RUN_NOW, JobQuery.of(JobPlace.RETRIES).error(error));
	}

	private static void awaitMail(JobAdmin admin) {
		for (JobPlace place : new JobPlace[] { JobPlace.READY, JobPlace.WORKING }) {
			Awaitility.await().until(() -> admin.count(JobQuery.of(place).queue("mail")).jobs() == 0);
		}
	}

	private static void take(Page page, ServedDashboard dashboard, String name, String address) {
		open(page, dashboard, address);
		save(page, name, true);
	}

	/** Open a page that is as high as its content. */
	private static Page page(Chromium chromium, int width, ColorScheme colors) {
		return chromium.page(new Browser.NewContextOptions().setViewportSize(width, 500)
			.setIsMobile(width < WIDTH)
			.setColorScheme(colors));
	}

	private static void open(Page page, ServedDashboard dashboard, String address) {
		page.navigate(dashboard.url("/jobs/" + address));
	}

	private static void save(Page page, String name, boolean isWhole) {
		int width = page.viewportSize().width;
		int height = Math.min(TALLEST, (Integer) page.evaluate("document.documentElement.scrollHeight"));
		ScreenshotOptions options = new ScreenshotOptions().setPath(DIRECTORY.resolve(name + ".png"));
		if (isWhole) {
			options.setFullPage(true).setClip(0, 0, width, height);
		}
		page.screenshot(options);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(PagesBrowserTests.Application.class)
	static class Shop {

		@Bean
		InvoiceJobs invoiceJobs() {
			return new InvoiceJobs();
		}

		@Bean
		ImageJobs imageJobs() {
			return new ImageJobs();
		}

	}

	@NotIdempotent("nothing is sent")
	static class InvoiceJobs {

		@Job(queue = "mail", retries = 2)
		void send(int order, String to) throws SocketTimeoutException, ConnectException {
			LockSupport.parkNanos(Duration.ofMillis(order % 20).toNanos());
			if (order % 23 == 0) {
				throw new IllegalStateException("Order %d has no address".formatted(order));
			}
			if (order % 10 == 0) {
				throw new SocketTimeoutException("Connect timed out: smtp.example.com:587");
			}
			if (order % 10 == 5) {
				throw new ConnectException("Connection refused: smtp.example.com:587");
			}
		}

	}

	@NotIdempotent("nothing is stored")
	static class ImageJobs {

		@Job(queue = "images")
		void scale(String image, int width) {
			LockSupport.parkNanos(Duration.ofMillis(700).toNanos());
		}

	}

}

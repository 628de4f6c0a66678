package io.github.steadyjobs.dashboard;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.ScreenshotOptions;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A headless browser, the Chromium installed on this machine. Nothing is downloaded.
 */
final class Chromium implements AutoCloseable {

	private static final String HOW_TO = "Profile 'browser' needs chromium on the PATH. Install it "
			+ "(apt-get install chromium), or leave the profile out";

	private final Playwright playwright;

	private final Browser browser;

	/** Errors and warnings of pages, such as violations of their security policy. */
	private final List<String> complaints = new ArrayList<>();

	private Chromium(Path executable) {
		this.playwright = Playwright
			.create(new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
		this.browser = this.playwright.chromium()
			.launch(new LaunchOptions().setExecutablePath(executable).setArgs(List.of("--no-sandbox")));
	}

	static Chromium start() {
		return new Chromium(Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.map((directory) -> Path.of(directory, "chromium"))
			.filter(Files::isExecutable)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException(HOW_TO)));
	}

	/** Open an empty page on a wide screen. */
	Page page() {
		return page(new Browser.NewContextOptions().setViewportSize(1280, 900));
	}

	/** Open an empty page of a given width, in light or dark colours. */
	Page page(int width, ColorScheme colors) {
		return page(new Browser.NewContextOptions().setViewportSize(width, 900)
			.setIsMobile(width < 500)
			.setColorScheme(colors));
	}

	Page page(Browser.NewContextOptions options) {
		BrowserContext context = this.browser.newContext(options);
		context.setDefaultTimeout(20_000);
		Page page = context.newPage();
		page.onConsoleMessage((message) -> {
			if (message.type().equals("error") || message.type().equals("warning")) {
				this.complaints.add(message.text());
			}
		});
		page.onPageError(this.complaints::add);
		return page;
	}

	List<String> complaints() {
		return this.complaints;
	}

	/** Check accessibility as far as axe can check it, and save a screenshot. */
	static void assertAccessible(Page page, String name) {
		assertThat(violations(page, name)).isEmpty();
	}

	/** Return the violations of accessibility that axe finds, and save a screenshot. */
	static List<String> violations(Page page, String name) {
		page.screenshot(
				new ScreenshotOptions().setFullPage(true).setPath(Path.of("target", "screenshots", name + ".png")));
		return new AxeBuilder(page).analyze()
			.getViolations()
			.stream()
			.map((rule) -> "%s: %s: %s".formatted(name, rule.getId(), rule.getNodes().get(0).getHtml()))
			.toList();
	}

	@Override
	public void close() {
		this.browser.close();
		this.playwright.close();
	}

}

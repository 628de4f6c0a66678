package io.github.steadyjobs.samples.orders;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.FileSystemUtils;

/**
 * A headless Chromium that clicks and types like a person. It speaks the WebDriver
 * protocol with the chromedriver of this machine, because a library would add 22 MB to
 * the test class path, including OpenTelemetry.
 */
final class Browser implements AutoCloseable {

	private static final String HOW_TO = "Profile 'browser' needs chromium and chromedriver on the PATH. Install them "
			+ "(apt-get install chromium chromium-driver), or leave the profile out";

	private static final Pattern PORT = Pattern.compile("started successfully on port (\\d+)");

	private static final List<String> ARGUMENTS = List.of("--headless=new", "--no-sandbox", "--disable-gpu",
			"--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
			"--disable-sync", "--window-size=1280,900");

	private final HttpClient http = HttpClient.newHttpClient();

	private final Path directory;

	private final Process driver;

	private String session;

	private Browser(Path chromium, Path chromedriver) throws IOException {
		this.directory = Files.createTempDirectory("browser-");
		Path log = this.directory.resolve("log");
		this.driver = new ProcessBuilder(chromedriver.toString(), "--port=0").redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
		try {
			this.session = "http://127.0.0.1:" + awaitPort(log) + "/session";
			this.session += "/"
					+ post("", Map.of("capabilities", Map.of("alwaysMatch", capabilities(chromium)))).path("sessionId")
						.asString();
		}
		catch (RuntimeException ex) {
			stop();
			throw ex;
		}
	}

	static Browser start() {
		try {
			return new Browser(onPath("chromium"), onPath("chromedriver"));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Path onPath(String program) {
		return Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.map((directory) -> Path.of(directory, program))
			.filter(Files::isExecutable)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException(HOW_TO));
	}

	private static String awaitPort(Path log) {
		return Awaitility.await()
			.until(() -> PORT.matcher(Files.readString(log)).results().map((match) -> match.group(1)).findFirst(),
					(port) -> port.isPresent())
			.orElseThrow();
	}

	private Map<String, Object> capabilities(Path chromium) {
		List<String> arguments = Stream
			.concat(ARGUMENTS.stream(), Stream.of("--user-data-dir=" + this.directory.resolve("profile")))
			.toList();
		return Map.of("browserName", "chrome", "goog:loggingPrefs", Map.of("browser", "ALL"), "goog:chromeOptions",
				Map.of("binary", chromium.toString(), "args", arguments));
	}

	void open(String url) {
		post("/url", Map.of("url", url));
	}

	/**
	 * Emulate the screen of a phone if the width is less than 500 pixels, otherwise a
	 * desktop screen.
	 */
	void resize(int width, int height, boolean dark) {
		command("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
		command("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
	}

	/**
	 * Click an element. This fails if the element is not visible or another element
	 * covers it.
	 */
	void click(String selector) {
		post(element(selector) + "/click", Map.of());
	}

	void chooseFile(String selector, Path file) {
		post(element(selector) + "/value", Map.of("text", file.toAbsolutePath().toString()));
	}

	/**
	 * Return the visible text.
	 */
	String text(String selector) {
		return get(element(selector) + "/text").asString();
	}

	boolean isVisible(String selector) {
		return get(element(selector) + "/displayed").asBoolean();
	}

	JsonNode evaluate(String expression) {
		return post("/execute/sync", Map.of("script", "return " + expression, "args", List.of()));
	}

	/**
	 * Return the errors of the page since the last call.
	 */
	List<String> complaints() {
		return post("/se/log", Map.of("type", "browser")).valueStream()
			.map((entry) -> entry.path("message").asString())
			.toList();
	}

	/**
	 * Save a screenshot in the build directory.
	 */
	void screenshot(String name) {
		try {
			Path pictures = Files.createDirectories(Path.of("target", "screenshots"));
			Files.write(pictures.resolve(name + ".png"), Base64.getDecoder().decode(get("/screenshot").asString()));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private String element(String selector) {
		JsonNode reference = post("/element", Map.of("using", "css selector", "value", selector));
		return "/element/" + reference.values().iterator().next().asString();
	}

	private void command(String name, Map<String, ?> parameters) {
		post("/goog/cdp/execute", Map.of("cmd", name, "params", parameters));
	}

	private JsonNode get(String path) {
		return send(HttpRequest.newBuilder().GET(), path);
	}

	private JsonNode post(String path, Map<String, ?> body) {
		return send(
				HttpRequest.newBuilder().POST(BodyPublishers.ofString(JsonMapper.shared().writeValueAsString(body))),
				path);
	}

	private JsonNode send(HttpRequest.Builder request, String path) {
		try {
			String answer = this.http
				.send(request.uri(URI.create(this.session + path)).timeout(Duration.ofSeconds(60)).build(),
						BodyHandlers.ofString())
				.body();
			JsonNode value = JsonMapper.shared().readTree(answer).path("value");
			if (value.has("error")) {
				throw new IllegalStateException(path + ": " + value.path("message").asString());
			}
			return value;
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		send(HttpRequest.newBuilder().DELETE(), "");
		stop();
	}

	private void stop() {
		this.driver.descendants().forEach(ProcessHandle::destroyForcibly);
		this.driver.destroyForcibly().onExit().join();
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}

package io.github.steadyjobs.dashboard;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.awaitility.Awaitility;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

import org.springframework.util.Assert;

/**
 * A sample application in a separate process, started from its jar.
 */
final class SampleProcess implements AutoCloseable {

	private static final Duration START = Duration.ofMinutes(2);

	private final HttpClient client = HttpClient.newHttpClient();

	private final Process process;

	private final String site;

	private SampleProcess(Process process, String site) {
		this.process = process;
		this.site = site;
	}

	static SampleProcess start(String name, String... properties) {
		Path jar = Path.of("..", "samples", name, "target", name + ".jar");
		Assert.state(Files.exists(jar), () -> jar + " does not exist. Run docs/dashboard/pictures.sh");
		int port = freePort();
		List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java"),
				"-Xmx512m", "-XX:TieredStopAtLevel=1", "-jar", jar.toString(), "--server.port=" + port));
		List.of(properties).forEach((property) -> command.add("--" + property));
		SampleProcess sample = new SampleProcess(start(command, Path.of("target", name + "-" + port + ".log")),
				"http://localhost:" + port);
		try {
			Awaitility.await().atMost(START).ignoreExceptionsInstanceOf(IOException.class).until(sample::answers);
			return sample;
		}
		catch (RuntimeException ex) {
			sample.kill();
			throw ex;
		}
	}

	private boolean answers() throws IOException {
		Assert.state(this.process.isAlive(), "It has ended. Its log is in jobs-dashboard/target");
		return send(request("/")) == 200;
	}

	private static Process start(List<String> command, Path log) {
		try {
			return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	String url(String path) {
		return this.site + path;
	}

	/** Return a page of the dashboard. */
	Document page(String address) throws IOException {
		return Jsoup.connect(url("/jobs/" + address)).get();
	}

	/** Press a button of the dashboard, and return the status of the answer. */
	int press(String action, Map<String, String> fields) throws IOException {
		String form = fields.entrySet()
			.stream()
			.map((field) -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
			.collect(Collectors.joining("&"));
		return send(request("/jobs/" + action).header("Sec-Fetch-Site", "same-origin")
			.header("Content-Type", "application/x-www-form-urlencoded")
			.POST(BodyPublishers.ofString(form)));
	}

	/** Send JSON to the Actuator endpoint, and return the status of the answer. */
	int change(String what, String json) throws IOException {
		return send(request("/actuator/jobs/" + what).header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(json)));
	}

	int post(String path) throws IOException {
		return send(request(path).POST(BodyPublishers.noBody()));
	}

	/** Upload a file in the field {@code file}. */
	int upload(String path, String name, String content) throws IOException {
		String boundary = "end-of-part";
		String body = "--%s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\n\r\n%s\r\n--%s--\r\n"
			.formatted(boundary, name, content, boundary);
		return send(request(path).header("Content-Type", "multipart/form-data; boundary=" + boundary)
			.POST(BodyPublishers.ofString(body)));
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(url(path)));
	}

	private int send(HttpRequest.Builder request) throws IOException {
		try {
			return this.client.send(request.build(), BodyHandlers.discarding()).statusCode();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/** Kill the process, so that it cannot put its jobs back. */
	void kill() {
		this.process.destroyForcibly().onExit().join();
	}

	@Override
	public void close() {
		this.process.destroy();
		this.process.onExit().join();
	}

}

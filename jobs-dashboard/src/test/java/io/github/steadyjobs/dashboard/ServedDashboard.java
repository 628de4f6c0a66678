package io.github.steadyjobs.dashboard;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application with a web server, which tests call over HTTP.
 */
final class ServedDashboard implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private final String user;

	private final HttpClient client = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

	private ServedDashboard(ConfigurableApplicationContext context, String user) {
		this.context = context;
		this.user = user;
	}

	static ServedDashboard run(Class<?> configuration, String... properties) {
		SpringApplication application = new SpringApplication(configuration);
		application.setRegisterShutdownHook(false);
		List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--steadyjobs.dashboard.enabled=true",
				"--steadyjobs.worker.auto-startup=false"));
		List.of(properties).forEach((property) -> arguments.add("--" + property));
		return new ServedDashboard(application.run(arguments.toArray(String[]::new)), "");
	}

	/** Return the same application, called as a user whose password is {@code secret}. */
	ServedDashboard as(String user) {
		return new ServedDashboard(this.context, user);
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	<T> Collection<T> beans(Class<T> type) {
		return this.context.getBeansOfType(type).values();
	}

	String url(String path) {
		return url("server", path);
	}

	/**
	 * Return the address of a path on a port.
	 * @param port the port, {@code server} or {@code management}
	 */
	String url(String port, String path) {
		return "http://localhost:" + this.context.getEnvironment().getRequiredProperty("local." + port + ".port")
				+ path;
	}

	Response get(String url, String... headers) {
		return send(HttpRequest.newBuilder(URI.create(url)), headers);
	}

	/** Submit a form. */
	Response post(String url, Map<String, String> fields, String... headers) {
		String form = fields.entrySet()
			.stream()
			.map((field) -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
			.collect(Collectors.joining("&"));
		return send(HttpRequest.newBuilder(URI.create(url))
			.header("Content-Type", "application/x-www-form-urlencoded")
			.POST(BodyPublishers.ofString(form)), headers);
	}

	private Response send(HttpRequest.Builder request, String... headers) {
		if (!this.user.isEmpty()) {
			String credentials = this.user + ":secret";
			request.header("Authorization",
					"Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
		}
		if (headers.length > 0) {
			request.headers(headers);
		}
		try {
			HttpResponse<String> response = this.client.send(request.build(), HttpResponse.BodyHandlers.ofString());
			return new Response(response.statusCode(), response.headers().firstValue("Location").orElse(""),
					Jsoup.parse(response.body()));
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
		this.context.close();
	}

	record Response(int status, String location, Document page) {

	}

}

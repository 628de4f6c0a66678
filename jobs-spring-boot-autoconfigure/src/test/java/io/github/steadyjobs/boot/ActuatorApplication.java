package io.github.steadyjobs.boot;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.Recurring;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * An application with a web server and Actuator, which tests call in the same way as an
 * operator.
 */
final class ActuatorApplication implements AutoCloseable {

	/** Without this timeout, a server that never answers would hang the build. */
	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	private final ConfigurableApplicationContext context;

	/** Does not ask for an upgrade to HTTP/2, which none of the servers supports. */
	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final String user;

	private ActuatorApplication(ConfigurableApplicationContext context, String user) {
		this.context = context;
		this.user = user;
	}

	static ActuatorApplication run(String... properties) {
		return run(Application.class, properties);
	}

	/**
	 * Run an application with additional configuration.
	 * @param configuration the class with the additional configuration
	 */
	static ActuatorApplication run(Class<? extends Application> configuration, String... properties) {
		SpringApplication application = new SpringApplication(configuration);
		application.setRegisterShutdownHook(false);
		List<String> arguments = new ArrayList<>(List.of("--server.port=0"));
		List.of(properties).forEach((property) -> arguments.add("--" + property));
		return new ActuatorApplication(application.run(arguments.toArray(String[]::new)), "");
	}

	/**
	 * Return the same application, called as a given user.
	 * @param user name, colon and password
	 */
	ActuatorApplication as(String user) {
		return new ActuatorApplication(this.context, user);
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	/**
	 * Send a GET request.
	 * @param path the path after {@code /actuator/}
	 * @param parameters names, each followed by its value
	 */
	Response get(String path, String... parameters) {
		UriComponentsBuilder uri = UriComponentsBuilder.fromUriString(base() + path);
		for (int i = 0; i < parameters.length; i += 2) {
			uri.queryParam(parameters[i], "{" + i + "}");
		}
		List<Object> values = new ArrayList<>();
		for (int i = 1; i < parameters.length; i += 2) {
			values.add(parameters[i]);
		}
		return send(HttpRequest.newBuilder(uri.build(values.toArray())));
	}

	/**
	 * Send a POST request.
	 * @param path the path after {@code /actuator/}
	 * @param body JSON, with single quotes in place of double quotes
	 */
	Response post(String path, String body) {
		return send(HttpRequest.newBuilder(URI.create(base() + path))
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(body.replace('\'', '"'))));
	}

	private String base() {
		return "http://localhost:" + this.context.getEnvironment().getRequiredProperty("local.management.port")
				+ "/actuator/";
	}

	private Response send(HttpRequest.Builder request) {
		request.timeout(TIMEOUT);
		if (!this.user.isEmpty()) {
			request.header("Authorization",
					"Basic " + Base64.getEncoder().encodeToString(this.user.getBytes(StandardCharsets.UTF_8)));
		}
		try {
			HttpResponse<String> response = this.client.send(request.build(), HttpResponse.BodyHandlers.ofString());
			return new Response(response.statusCode(),
					JsonMapper.shared().readTree(response.body().isEmpty() ? "{}" : response.body()));
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

	/**
	 * The response that an operator receives.
	 */
	record Response(int status, JsonNode body) {

		String message() {
			return this.body.path("message").asString("");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		MailJobs mailJobs() {
			return new MailJobs();
		}

	}

	static class MailJobs {

		final CountDownLatch begun = new CountDownLatch(1);

		final CountDownLatch goOn = new CountDownLatch(1);

		@Job(queue = "mail")
		@NotIdempotent("a test")
		void send(String to, int number) {
		}

		@Job(queue = "mail")
		@Idempotent(strategy = Strategy.UNTIL_EXECUTED)
		void once(String to) {
		}

		@Job(queue = "mail", retries = 0, backtrace = 3)
		@NotIdempotent("a test")
		void fail(String secret) {
			throw new IllegalStateException("The password is " + secret);
		}

		@Job(queue = "holding")
		@NotIdempotent("a test")
		void hold() throws InterruptedException {
			this.begun.countDown();
			this.goOn.await();
		}

		@Job(queue = "other")
		@Recurring(name = "yearly", cron = "0 0 0 1 1 *", zone = "Europe/Berlin")
		@NotIdempotent("a test")
		void other() {
		}

	}

}

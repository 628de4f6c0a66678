package io.github.steadyjobs.dashboard;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.github.steadyjobs.dashboard.DashboardFixture.MailJobs;
import io.github.steadyjobs.dashboard.ServedDashboard.Response;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests of the dashboard in a web server, without Spring Security.
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class ServedDashboardIntegrationTests {

	private final String[] redis;

	ServedDashboardIntegrationTests(TestRedis redis) {
		this.redis = new String[] { "spring.data.redis.url=" + redis.url(), "steadyjobs.prefix=" + redis.prefix() };
	}

	@ParameterizedTest
	@CsvSource({ "'', /jobs", "/shop, /admin/jobs" })
	void pagesAreServedBelowAnyPath(String contextPath, String path, CapturedOutput output) {
		try (ServedDashboard dashboard = run("server.servlet.context-path=" + contextPath,
				"steadyjobs.dashboard.path=" + path)) {
			assertThat(output).contains("Jobs dashboard available at '" + contextPath + path + "'");
			assertThat(output).doesNotContain("UnknownProperties");
			Response redirect = dashboard.get(dashboard.url(contextPath + path));
			assertThat(redirect.status()).isEqualTo(302);
			assertThat(redirect.location()).isEqualTo("jobs/");
			String home = resolve(dashboard.url(contextPath + path), redirect.location());
			Response overview = dashboard.get(home);
			assertThat(overview.status()).isEqualTo(200);
			for (String reference : overview.page().select("link, script, img, nav a").eachAttr("abs:href")) {
				assertThat(reference).isEmpty();
			}
			overview.page()
				.select("[href], [src]")
				.forEach((element) -> assertThat(
						dashboard.get(resolve(home, element.attr("href") + element.attr("src"))).status())
					.as(element.toString())
					.isEqualTo(200));
			Response paused = dashboard.post(resolve(home, "pause"), Map.of("job", "a", "why", "x"), "Sec-Fetch-Site",
					"same-origin");
			assertThat(paused.status()).isEqualTo(303);
			assertThat(paused.location()).isEqualTo("pauses?notice=paused&count=0");
		}
	}

	@Test
	void managementPortServesItAloneAndBelowItsOwnPath(CapturedOutput output) {
		try (ServedDashboard dashboard = run("steadyjobs.dashboard.port=management", "management.server.port=0",
				"management.server.base-path=/manage")) {
			assertThat(output).contains("Jobs dashboard available at '/manage/jobs'");
			Response overview = dashboard.get(dashboard.url("management", "/manage/jobs/"));
			assertThat(overview.status()).isEqualTo(200);
			assertThat(overview.page().select("h1").text()).isEqualTo("Overview");
			assertThat(dashboard.get(dashboard.url("/jobs/")).status()).isEqualTo(404);
		}
	}

	@Test
	void managementPortThatIsThatOfTheApplicationServesIt() {
		try (ServedDashboard dashboard = run("steadyjobs.dashboard.port=management")) {
			assertThat(dashboard.get(dashboard.url("/jobs/")).status()).isEqualTo(200);
		}
	}

	@Test
	void applicationPortServesItAloneWhereThereIsAManagementPort() {
		try (ServedDashboard dashboard = run("management.server.port=0")) {
			assertThat(dashboard.get(dashboard.url("/jobs/")).status()).isEqualTo(200);
			assertThat(dashboard.get(dashboard.url("management", "/jobs/")).status()).isEqualTo(404);
		}
	}

	@Test
	void badAddressesGetAPageOrARefusal() throws IOException {
		try (ServedDashboard dashboard = run()) {
			assertThat(dashboard.get(dashboard.url("/jobs/nothing")).status()).isEqualTo(404);
			int port = URI.create(dashboard.url("")).getPort();
			// Send requests that an HTTP client would refuse to send.
			assertThat(raw(port, "/jobs/queue?name=%zz", "localhost")).startsWith("HTTP/1.1 400");
			assertThat(raw(port, "/jobs/a%2Fb", "localhost")).startsWith("HTTP/1.1 400");
			assertThat(raw(port, "/jobs/../jobs/queues", "localhost")).startsWith("HTTP/1.1 200");
			assertThat(raw(port, "/jobs/%2e%2e/%2e%2e/etc/passwd", "localhost")).startsWith("HTTP/1.1 4");
			assertThat(raw(port, "/jobs/queues", "evil.example.org")).startsWith("HTTP/1.1 403");
		}
	}

	@Test
	void pathThatCannotBeServedIsExplained(CapturedOutput output) {
		assertThatException().isThrownBy(() -> run("steadyjobs.dashboard.path=jobs").close());
		assertThat(output).contains("APPLICATION FAILED TO START",
				"Invalid value 'jobs' for configuration property 'steadyjobs.dashboard.path'",
				"It must begin with '/'");
	}

	private ServedDashboard run(String... properties) {
		String[] all = new String[properties.length + 2];
		System.arraycopy(properties, 0, all, 2, properties.length);
		System.arraycopy(this.redis, 0, all, 0, 2);
		return ServedDashboard.run(Application.class, all);
	}

	private static String resolve(String base, String reference) {
		return URI.create(base).resolve(reference).toString();
	}

	private static String raw(int port, String path, String host) throws IOException {
		try (Socket socket = new Socket("localhost", port)) {
			socket.getOutputStream()
				.write("GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(path, host)
					.getBytes(StandardCharsets.US_ASCII));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = { SecurityAutoConfiguration.class, ServletWebSecurityAutoConfiguration.class,
			SecurityFilterAutoConfiguration.class, UserDetailsServiceAutoConfiguration.class,
			ManagementWebSecurityAutoConfiguration.class })
	@Import(MailJobs.class)
	static class Application {

	}

}

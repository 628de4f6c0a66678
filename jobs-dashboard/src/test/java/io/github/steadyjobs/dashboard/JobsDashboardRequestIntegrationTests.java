package io.github.steadyjobs.dashboard;

import java.util.Map;

import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobsDashboardRequest}.
 */
@RedisTest
class JobsDashboardRequestIntegrationTests {

	/** The status with which Spring Security refuses requests here. */
	private static final int REFUSED = 403;

	private final String[] redis;

	JobsDashboardRequestIntegrationTests(TestRedis redis) {
		this.redis = new String[] { "--spring.data.redis.url=" + redis.url(), "--steadyjobs.prefix=" + redis.prefix() };
	}

	@Test
	void toDashboardMatchesOnThePortThatServesIt() {
		try (ServedDashboard dashboard = run(Closed.class, "steadyjobs.dashboard.port=management",
				"management.server.port=0")) {
			assertThat(dashboard.get(dashboard.url("management", "/jobs/queues")).page().select(".failure")).isEmpty();
			assertThat(dashboard.get(dashboard.url("management", "/jobs/queues")).status()).isEqualTo(REFUSED);
			assertThat(dashboard.get(dashboard.url("/jobs/queues")).status()).isEqualTo(404);
		}
	}

	@Test
	void toDashboardMatchesBelowItsPathOnly() {
		try (ServedDashboard dashboard = run(Closed.class, "steadyjobs.dashboard.path=/admin/jobs",
				"server.servlet.context-path=/shop")) {
			for (String path : new String[] { "/shop/admin/jobs", "/shop/admin/jobs/", "/shop/admin/jobs/queues" }) {
				assertThat(dashboard.get(dashboard.url(path)).status()).as(path).isEqualTo(REFUSED);
			}
			assertThat(dashboard.get(dashboard.url("/shop/admin/jobsx")).status()).isEqualTo(404);
			assertThat(dashboard.get(dashboard.url("/shop/jobs/")).status()).isEqualTo(404);
		}
	}

	@Test
	void toDashboardMatchesNothingIfItIsSwitchedOff() {
		try (ServedDashboard dashboard = run(Closed.class, "steadyjobs.dashboard.enabled=false")) {
			assertThat(dashboard.get(dashboard.url("/jobs/")).status()).isEqualTo(404);
		}
	}

	@Test
	void toChangesMatchesWhatMayChangeSomething() {
		try (ServedDashboard dashboard = run(ReadOnly.class)) {
			assertThat(dashboard.get(dashboard.url("/jobs/queues")).page().select(".failure"))
				.as("let through to the dashboard, which knows no such user")
				.hasSize(1);
			assertThat(dashboard.post(dashboard.url("/jobs/pause"), Map.of("job", "a")).page().select(".failure"))
				.isEmpty();
			assertThat(dashboard.post(dashboard.url("/other"), Map.of()).status()).isEqualTo(404);
		}
	}

	private ServedDashboard run(Class<?> configuration, String... properties) {
		String[] all = new String[properties.length + 2];
		for (int i = 0; i < 2; i++) {
			all[i] = this.redis[i].substring(2);
		}
		System.arraycopy(properties, 0, all, 2, properties.length);
		return ServedDashboard.run(configuration, all);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Closed {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) throws Exception {
			return http.csrf(AbstractHttpConfigurer::disable)
				.authorizeHttpRequests((requests) -> requests.requestMatchers(JobsDashboardRequest.toDashboard())
					.denyAll()
					.anyRequest()
					.permitAll())
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class ReadOnly {

		@Bean
		SecurityFilterChain chain(HttpSecurity http) throws Exception {
			return http.csrf(AbstractHttpConfigurer::disable)
				.authorizeHttpRequests((requests) -> requests.requestMatchers(JobsDashboardRequest.toChanges())
					.denyAll()
					.anyRequest()
					.permitAll())
				.build();
		}

	}

}

package io.github.steadyjobs.dashboard;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.dashboard.DashboardFixture.MailJobs;
import io.github.steadyjobs.dashboard.ServedDashboard.Response;
import io.github.steadyjobs.guide.dashboard.DashboardPage;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfToken;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the dashboard in an application that Spring Security protects.
 */
@RedisTest
class SecurityIntegrationTests {

	private static final Map<String, Role> ROLES = Map.of("customer", Role.NONE, "viewer", Role.VIEW, "operator",
			Role.OPERATE, "administrator", Role.ADMINISTER);

	/** Actions that succeed with the fields that this test sends. */
	private static final Set<String> DONE = Set.of("pause", "resume", "quiet", "thread-dump", "purge", "stop",
			"run-now", "retry", "kill", "delete", "reschedule", "run-now-all", "retry-all", "kill-all", "delete-all",
			"release-lock", "repair");

	private static ServedDashboard dashboard;

	private final TestRedis redis;

	SecurityIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@BeforeAll
	static void start(TestRedis redis) {
		dashboard = ServedDashboard.run(Application.class, "spring.data.redis.url=" + redis.url(),
				"steadyjobs.prefix=" + redis.prefix());
	}

	@AfterAll
	static void stop() {
		dashboard.close();
	}

	@BeforeEach
	void enqueue() {
		// The client registers a queue only once, but each test begins without keys.
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "mail");
		dashboard.bean(JobClient.class).enqueue(JobRequest.named("MailJobs.send", "a"));
		dashboard.bean(Samples.class).expire();
	}

	@Test
	void pageAsksForALogin() {
		assertThat(dashboard.get(dashboard.url("/jobs/")).status()).isEqualTo(401);
		assertThat(dashboard.get(dashboard.url("/jobs")).status()).isEqualTo(401);
		assertThat(dashboard.get(dashboard.url("/other")).status()).isEqualTo(404);
	}

	@Test
	void userWithoutARoleIsToldWhichToGet() {
		Response response = dashboard.as("customer").get(dashboard.url("/jobs/"));
		assertThat(response.status()).isEqualTo(403);
		assertThat(response.page().select(".failure").text()).contains("JOBS_VIEW", "JOBS_OPERATE", "JOBS_ADMINISTER");
		assertThat(response.page().select("nav")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "viewer, 0, 0", "operator, 1, 0", "administrator, 1, 1" })
	void queueHasTheActionsThatItsViewerMayDo(String user, int pauses, int purges) {
		Response queue = dashboard.as(user).get(dashboard.url("/jobs/queue?name=mail"));
		assertThat(queue.page().select("a[href^=pause?]")).hasSize(pauses);
		assertThat(queue.page().select("a[href^=purge?]")).hasSize(purges);
	}

	@ParameterizedTest
	@ValueSource(strings = { "pause", "resume", "quiet", "thread-dump", "purge", "stop", "run-now", "retry", "kill",
			"delete", "edit", "reschedule", "move", "cancel", "run-now-all", "retry-all", "kill-all", "delete-all",
			"revive", "release-lock", "repair", "trigger", "pause-recurring", "resume-recurring", "create-recurring",
			"change-recurring", "delete-recurring" })
	void actionIsForThoseWhoMayAndLeavesNoTraceOfOthers(String name) {
		Role needed = actions().get(name).role();
		ROLES.forEach((user, role) -> {
			ServedDashboard session = dashboard.as(user);
			Map<String, String> fields = fields(name);
			Map<String, Object> before = this.redis.contents();
			Response answer = session.post(dashboard.url("/jobs/" + name), withToken(session, fields), "Sec-Fetch-Site",
					"same-origin");
			if (role.includes(needed)) {
				// Other tests call the servlet directly and check what the action does.
				assertThat(answer.status()).as(user).isIn(DONE.contains(name) ? List.of(303) : List.of(400, 404, 409));
			}
			else {
				assertThat(answer.status()).as(user).isEqualTo(403);
				assertThat(answer.page().select(".failure").text()).contains("role");
				assertThat(session.get(dashboard.url("/jobs/" + name)).status()).as("form for " + user).isEqualTo(403);
				assertThat(this.redis.contents()).as(user).isEqualTo(before);
			}
		});
	}

	/** Create a job, and return the fields of a form for an action on it. */
	private static Map<String, String> fields(String action) {
		String id = dashboard.bean(JobClient.class)
			.enqueue(JobRequest.named("MailJobs.send", "a").after(Duration.ofHours(1)))
			.id();
		boolean isForDead = action.startsWith("retry");
		if (isForDead) {
			dashboard.bean(JobAdmin.class).change(JobAction.KILL, id);
		}
		Map<String, String> fields = new HashMap<>(Map.of("queue", "mail", "place", "ready", "why", "x", "kind",
				"queue", "name", "mail", "version", "1", "process", "gone"));
		fields.putAll(Map.of("id", id, "due", "2031-02-03T04:05", "interrupt", "no", "job", "MailJobs.send", "key", "x",
				"digest", "x".repeat(32), "holder", id));
		if (!action.equals("purge")) {
			fields.put("place", isForDead ? "dead" : "scheduled");
		}
		return fields;
	}

	@Test
	void actionsAreAllThatAreTested() {
		ValueSource tested = Stream.of(SecurityIntegrationTests.class.getDeclaredMethods())
			.filter((method) -> method.getName().startsWith("actionIsFor"))
			.findFirst()
			.orElseThrow()
			.getAnnotation(ValueSource.class);
		assertThat(actions()).containsOnlyKeys(tested.strings());
	}

	@Test
	void formCarriesTheTokenOfSpringSecurity() {
		ServedDashboard operator = dashboard.as("operator");
		Map<String, String> fields = Map.of("queue", "mail", "why", "The relay is down");
		Response refused = operator.post(dashboard.url("/jobs/pause"), fields);
		assertThat(refused.status()).isEqualTo(403);
		assertThat(pauses().list()).isEmpty();
		// Act as an old browser, which does not say where a form comes from.
		Response paused = operator.post(dashboard.url("/jobs/pause"), withToken(operator, fields));
		assertThat(paused.status()).isEqualTo(303);
		assertThat(pauses().list()).singleElement().satisfies((pause) -> assertThat(pause.who()).isEqualTo("operator"));
		assertThat(operator.get(dashboard.url("/jobs/activity")).page().select("#activity tr:eq(0) td").eachText())
			.startsWith("operator");
	}

	@Test
	void tokenDoesNotHelpAnotherSite() {
		ServedDashboard operator = dashboard.as("operator");
		Response refused = operator.post(dashboard.url("/jobs/pause"),
				withToken(operator, Map.of("queue", "mail", "why", "x")), "Sec-Fetch-Site", "cross-site");
		assertThat(refused.status()).isEqualTo(403);
		assertThat(pauses().list()).isEmpty();
	}

	private static Map<String, Action> actions() {
		Map<String, Action> actions = new HashMap<>();
		for (Pages pages : dashboard.beans(Pages.class)) {
			pages.pages()
				.stream()
				.filter(Action.class::isInstance)
				.forEach((page) -> actions.put(page.name(), (Action) page));
		}
		return actions;
	}

	/**
	 * Add the session's token as forms do, even for users who may not see a form.
	 */
	private static Map<String, String> withToken(ServedDashboard session, Map<String, String> fields) {
		Map<String, String> all = new HashMap<>(fields);
		String token = session.get(dashboard.url("/token")).page().text();
		all.put("_csrf", token);
		return all;
	}

	private static JobPauses pauses() {
		return dashboard.bean(JobPauses.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ DashboardPage.class, MailJobs.class })
	static class Application {

		@Bean
		@Order(2)
		SecurityFilterChain others(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll()).build();
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(user("customer", "CUSTOMER"), user("viewer", "JOBS_VIEW"),
					user("operator", "JOBS_OPERATE"), user("administrator", "JOBS_ADMINISTER"));
		}

		@Bean
		ServletRegistrationBean<Servlet> token() {
			return new ServletRegistrationBean<>(new HttpServlet() {

				@Override
				protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
					response.getWriter().write(((CsrfToken) request.getAttribute("_csrf")).getToken());
				}

			}, "/token");
		}

		private static UserDetails user(String name, String role) {
			return User.withUsername(name).password("{noop}secret").roles(role).build();
		}

	}

}

package io.github.steadyjobs.boot;

import java.util.List;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.boot.ActuatorApplication.MailJobs;
import io.github.steadyjobs.boot.ActuatorApplication.Response;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobsEndpoint} with Spring Security.
 */
@RedisTest
class JobsEndpointSecurityIntegrationTests {

	private static final String NOBODY = "";

	private static final String OPERATOR = "ada:secret";

	private static final String CUSTOMER = "bob:secret";

	private static final String HIDDEN = "******";

	private static ActuatorApplication application;

	private final TestRedis redis;

	private final JobClient client = application.bean(JobClient.class);

	JobsEndpointSecurityIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@BeforeAll
	static void run(TestRedis redis) {
		application = ActuatorApplication.run(Secured.class, "spring.data.redis.url=" + redis.url(),
				"steadyjobs.prefix=" + redis.prefix(), "steadyjobs.worker.auto-startup=false",
				"management.endpoints.web.exposure.include=jobs", "management.endpoint.jobs.access=unrestricted",
				"management.endpoint.jobs.show-values=when-authorized", "management.endpoint.jobs.roles=OPERATOR");
	}

	@AfterAll
	static void close() {
		application.close();
	}

	@BeforeEach
	void registerQueue() {
		// The client registers a queue only once, but all keys are deleted before each
		// test.
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "mail");
	}

	@ParameterizedTest
	@ValueSource(strings = { NOBODY, CUSTOMER })
	void valuesAreHiddenFromUsersWithoutTheRole(String user) {
		String id = enqueue();
		for (JsonNode job : both(user, id)) {
			assertThat(job.path("job").asString()).isEqualTo("MailJobs.send");
			assertThat(job.path("arguments").asString()).isEqualTo(HIDDEN);
			assertThat(job.path("meta").path("tenant").asString()).isEqualTo(HIDDEN);
			assertThat(job.toString()).doesNotContain("swordfish", "acme", "abc123");
		}
		Response search = application.as(user).get("jobs/ready", "text", "sword");
		assertThat(search.status()).isEqualTo(400);
		assertThat(search.message()).contains("values that are not shown to you");
	}

	@Test
	void valuesAreShownToUsersWithTheRoleUnlessTheyAreSanitized() {
		String id = enqueue();
		for (JsonNode job : both(OPERATOR, id)) {
			assertThat(job.path("arguments").toString()).isEqualTo("[\"swordfish\",\"" + HIDDEN + "\"]");
			assertThat(job.path("meta").path("tenant").asString()).isEqualTo("acme");
			assertThat(job.path("meta").path("token").asString()).isEqualTo(HIDDEN);
		}
		assertThat(application.as(OPERATOR).get("jobs/ready", "text", "sword").body().path("jobs")).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource({ "ada:secret, ada", "bob:secret, bob", ":, eve" })
	void pauseIsMadeByTheUserWhoHasLoggedIn(String user, String who) {
		for (String path : new String[] { "jobs/queues/mail", "jobs/pauses/MailJobs.send" }) {
			Response paused = application.as(user.equals(":") ? NOBODY : user)
				.post(path, "{'action':'pause','who':'eve','why':'The relay is down'}");
			assertThat(paused.status()).as(paused.message()).isEqualTo(200);
			assertThat(paused.body().path("pause").path("who").asString()).isEqualTo(who);
		}
		assertThat(application.get("jobs/pauses").body().path("pauses").findValuesAsString("who")).containsExactly(who,
				who);
	}

	@ParameterizedTest
	@CsvSource({ "ada:secret, ada", ":, eve" })
	void activityNamesTheUserWhoHasLoggedIn(String user, String who) {
		ActuatorApplication asked = application.as(user.equals(":") ? NOBODY : user);
		asked.post("jobs/job/" + enqueue(), "{'action':'kill','who':'eve'}");
		asked.post("jobs/dead", "{'action':'delete','text':'sword','name':'Mail*','who':'eve'}");
		asked.post("jobs/recurring/hourly", "{'action':'create','job':'MailJobs.other','every':'1h','who':'eve'}");
		JsonNode activity = application.as(OPERATOR).get("jobs/activity").body().path("activity");
		assertThat(activity.findValuesAsString("who")).isNotEmpty().containsOnly(who);
		assertThat(activity.findValuesAsString("action")).startsWith("create").endsWith("kill");
		// Users who may not see values must not search for them either.
		assertThat(activity).hasSize(user.equals(":") ? 2 : 3);
	}

	@Test
	void activityHidesWhatWasSearchedFor() {
		application.as(OPERATOR).post("jobs/job/" + enqueue(), "{'action':'kill'}");
		application.as(OPERATOR).post("jobs/dead", "{'action':'delete','text':'swordfish'}");
		assertThat(target(OPERATOR).path("text").asString()).isEqualTo("swordfish");
		assertThat(target(NOBODY).path("text").asString()).isEqualTo(HIDDEN);
		assertThat(target(NOBODY).path("place").asString()).isEqualTo("dead");
	}

	private static JsonNode target(String user) {
		return application.as(user).get("jobs/activity", "size", "1").body().path("activity").get(0).path("target");
	}

	@Test
	void userOfTheThreadIsNamedWhereABeanIsCalled() {
		String id = enqueue();
		SecurityContextHolder.getContext()
			.setAuthentication(UsernamePasswordAuthenticationToken.authenticated("bob", "", List.of()));
		try {
			application.bean(JobAdmin.class).change(JobAction.KILL, id);
			SecurityContextHolder.getContext()
				.setAuthentication(new AnonymousAuthenticationToken("key", "anonymous", List.of(() -> "ROLE_NONE")));
			application.bean(JobAdmin.class).change(JobAction.DELETE, id);
		}
		finally {
			SecurityContextHolder.clearContext();
		}
		List<String> who = application.get("jobs/activity").body().path("activity").findValuesAsString("who");
		assertThat(who).hasSize(2).last().isEqualTo("bob");
		assertThat(who.get(0)).isNotIn("anonymous", "bob");
	}

	@Test
	void userWhoCannotLogInIsRefused() {
		assertThat(application.as("ada:wrong").get("jobs").status()).isEqualTo(401);
	}

	private String enqueue() {
		return this.client
			.enqueue(JobRequest.of(MailJobs.class, (jobs) -> jobs.send("swordfish", 1))
				.meta("tenant", "acme")
				.meta("token", "abc123"))
			.id();
	}

	/**
	 * Read a job, once by its id and once from the page of its place.
	 */
	private static JsonNode[] both(String user, String id) {
		ActuatorApplication asked = application.as(user);
		JsonNode page = asked.get("jobs/ready").body().path("jobs");
		assertThat(page).hasSize(1);
		return new JsonNode[] { asked.get("jobs/job/" + id).body(), page.get(0) };
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class Secured extends ActuatorApplication.Application {

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.httpBasic(Customizer.withDefaults())
				.csrf(AbstractHttpConfigurer::disable)
				.build();
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("ada").password("{noop}secret").roles("OPERATOR").build(),
					User.withUsername("bob").password("{noop}secret").roles("CUSTOMER").build());
		}

		@Bean
		SanitizingFunction tokensAndSecondArguments() {
			return (data) -> data.getKey().equals("meta.token") || data.getKey().equals("arguments[1]")
					? data.withSanitizedValue() : data;
		}

	}

}

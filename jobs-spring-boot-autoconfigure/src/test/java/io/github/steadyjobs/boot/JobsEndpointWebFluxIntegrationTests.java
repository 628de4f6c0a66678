package io.github.steadyjobs.boot;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.boot.ActuatorApplication.MailJobs;
import io.github.steadyjobs.boot.ActuatorApplication.Response;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.web.WebEndpointsSupplier;
import org.springframework.boot.actuate.endpoint.web.WebOperation;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link JobsEndpoint} in a reactive web application.
 */
@RedisTest
class JobsEndpointWebFluxIntegrationTests {

	private static final String NO_ID = "0123456789abcdef01234567";

	private static TcpRelay relay;

	private static ActuatorApplication application;

	private final TestRedis redis;

	private final JobClient client = application.bean(JobClient.class);

	JobsEndpointWebFluxIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@BeforeAll
	static void run(TestRedis redis) {
		relay = TcpRelay.to(redis);
		application = ActuatorApplication.run(Reactive.class, "spring.main.web-application-type=reactive",
				"spring.data.redis.url=" + relay.url(), "steadyjobs.prefix=" + redis.prefix(),
				"steadyjobs.worker.auto-startup=false", "management.endpoints.web.exposure.include=jobs",
				"management.endpoint.jobs.access=unrestricted", "management.endpoint.jobs.show-values=when-authorized");
	}

	@AfterAll
	static void close() {
		application.close();
		relay.close();
	}

	@BeforeEach
	void registerQueue() {
		// The client registers a queue only once, but all keys are deleted before each
		// test.
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "mail");
	}

	@Test
	void jobsAreShownAndChanged() {
		String id = enqueue();
		assertThat(application.get("jobs").body().path("totals").path("ready").asInt()).isOne();
		assertThat(application.get("jobs/ready", "name", "*.send").body().path("jobs")).hasSize(1);
		Response killed = application.post("jobs/job/" + id, "{'action':'kill'}");
		assertThat(killed.status()).as(killed.message()).isEqualTo(200);
		assertThat(application.get("jobs/job/" + id).body().path("place").asString()).isEqualTo("dead");
		Response deleted = application.post("jobs/dead", "{'action':'delete','queue':'mail'}");
		assertThat(deleted.body().path("done").asInt()).isOne();
		assertThat(application.bean(JobAdmin.class).find(id)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			jobs/moon            |                      | 404 | There is no 'moon' here
			jobs/queues/moon     |                      | 404 | No queue is called 'moon'
			jobs/dead?size=many  |                      | 400 | 'size' must be a whole number
			jobs/queues/mail     | {'action':'explode'} | 400 | must be one of
			jobs/queues/mail     | {'action':'resume'}  | 409 | It is not paused
			jobs/job/%s          | {'action':'delete'}  | 404 | There is no job
			jobs/job/%s          | {}                   | 400 | 'action' is missing
			""")
	void whatCannotBeDoneIsToldAsOnAServlet(String path, String body, int status, String message) {
		String target = path.formatted(NO_ID);
		Response response = (body != null) ? application.post(target, body) : application.get(target);
		assertThat(response.status()).isEqualTo(status);
		assertThat(response.body().path("status").asInt()).isEqualTo(status);
		assertThat(response.message()).contains(message);
	}

	@Test
	void redisThatIsAwayIsTold() {
		relay.refuse();
		try {
			for (Response response : List.of(application.get("jobs/queues"),
					application.post("jobs/job/" + NO_ID, "{'action':'retry'}"))) {
				assertThat(response.status()).isEqualTo(503);
				assertThat(response.body().path("reason").asString()).isEqualTo("UNREACHABLE");
			}
		}
		finally {
			relay.pass();
		}
		await().until(() -> application.get("jobs/queues").status() == 200);
	}

	@Test
	void userWhoHasLoggedInIsShownValuesAndRecorded() {
		String id = enqueue();
		assertThat(application.get("jobs/job/" + id).body().path("arguments").asString()).isEqualTo("******");
		ActuatorApplication operator = application.as("ada:secret");
		assertThat(operator.get("jobs/job/" + id).body().path("arguments").toString()).isEqualTo("[\"bob\",1]");
		Response paused = operator.post("jobs/queues/mail", "{'action':'pause','who':'eve','why':'The relay is down'}");
		assertThat(paused.body().path("pause").path("who").asString()).isEqualTo("ada");
		operator.post("jobs/job/" + id, "{'action':'delete'}");
		assertThat(application.get("jobs/activity").body().path("activity").findValuesAsString("who"))
			.containsExactly("ada", "ada");
	}

	@Test
	void callsThatBlockRunOnAThreadThatMayWait() {
		Queue<String> threads = application.bean(Reactive.class).threads;
		threads.clear();
		application.as("ada:secret").get("jobs/job/" + enqueue());
		assertThat(threads).isNotEmpty().allMatch((thread) -> thread.startsWith("boundedElastic-"));
		assertThat(application.bean(WebEndpointsSupplier.class).getEndpoints()).singleElement()
			.satisfies(
					(endpoint) -> assertThat(endpoint.getOperations()).hasSize(5).allMatch(WebOperation::isBlocking));
	}

	private String enqueue() {
		return this.client.enqueue(JobRequest.of(MailJobs.class, (jobs) -> jobs.send("bob", 1))).id();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	static class Reactive extends ActuatorApplication.Application {

		final Queue<String> threads = new ConcurrentLinkedQueue<>();

		@Bean
		SecurityWebFilterChain security(ServerHttpSecurity http) {
			return http.authorizeExchange((exchanges) -> exchanges.anyExchange().permitAll())
				.httpBasic(Customizer.withDefaults())
				.csrf(ServerHttpSecurity.CsrfSpec::disable)
				.build();
		}

		@Bean
		MapReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(
					User.withUsername("ada").password("{noop}secret").roles("OPERATOR").build());
		}

		@Bean
		SanitizingFunction noteOfThreads() {
			return (data) -> {
				this.threads.add(Thread.currentThread().getName());
				return data;
			};
		}

	}

}

package io.github.steadyjobs.boot;

import java.time.Duration;
import java.time.Instant;

import io.github.steadyjobs.boot.ActuatorApplication.Response;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for recurring jobs in {@link JobsEndpoint}, over HTTP.
 */
@RedisTest
class JobsRecurringEndpointIntegrationTests {

	private final TestRedis redis;

	private ActuatorApplication application;

	JobsRecurringEndpointIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@BeforeEach
	void run() {
		this.application = ActuatorApplication.run("spring.data.redis.url=" + this.redis.url(),
				"steadyjobs.prefix=" + this.redis.prefix(), "management.endpoints.web.exposure.include=jobs",
				"management.endpoint.jobs.access=unrestricted", "spring.application.name=shop");
		await().until(() -> this.application.get("jobs/recurring").body().path("recurring").size() == 1);
	}

	@AfterEach
	void close() {
		this.application.close();
	}

	@Test
	void listShowsWhatAnnotationsDeclare() {
		JsonNode recurring = this.application.get("jobs/recurring").body().path("recurring").get(0);
		assertThat(recurring.path("name").asString()).isEqualTo("yearly");
		assertThat(recurring.path("job").asString()).isEqualTo("MailJobs.other");
		assertThat(recurring.path("queue").asString()).isEqualTo("other");
		assertThat(recurring.path("origin").asString()).isEqualTo("DECLARED");
		assertThat(recurring.path("status").asString()).isEqualTo("ACTIVE");
		assertThat(recurring.path("cron").asString()).isEqualTo("0 0 0 1 1 *");
		assertThat(recurring.path("zone").asString()).isEqualTo("Europe/Berlin");
		assertThat(recurring.path("next")).hasSize(5);
		assertThat(Instant.parse(recurring.path("next").get(0).asString())).isAfter(Instant.now());
		assertThat(recurring.path("late").asString()).isEqualTo("PT0S");
		assertThat(recurring.has("last")).isFalse();
		assertThat(recurring.has("every")).isFalse();
	}

	@Test
	void createdOneIsChangedAndDeleted() {
		Response created = post("report",
				"{'action':'create','job':'MailJobs.other','every':'10m','missed':'run-all','atMost':'3',"
						+ "'overlap':'queue-one','jitter':'5s','from':'2098-01-01','until':'2099-01-01'}");
		assertThat(created.status()).isEqualTo(200);
		assertThat(created.message()).isEqualTo("It was created");
		JsonNode recurring = this.application.get("jobs/recurring/report").body().path("recurring");
		assertThat(recurring).isEqualTo(created.body().path("recurring"));
		assertThat(recurring.path("origin").asString()).isEqualTo("CREATED");
		assertThat(Duration.parse(recurring.path("every").asString())).isEqualTo(Duration.ofMinutes(10));
		assertThat(recurring.path("queue").asString()).isEqualTo("other");
		assertThat(recurring.path("missed").asString()).isEqualTo("RUN_ALL");
		assertThat(recurring.path("atMost").asInt()).isEqualTo(3);
		assertThat(recurring.path("overlap").asString()).isEqualTo("QUEUE_ONE");
		assertThat(recurring.path("from").asString()).isEqualTo("2098-01-01T00:00:00Z");
		assertDone(post("report", "{'action':'change','job':'MailJobs.other','cron':'@daily','zone':'Asia/Tokyo'}"));
		assertThat(this.application.bean(RecurringJobs.class).find("report").orElseThrow().job().schedule().toString())
			.isEqualTo("cron '@daily' in Asia/Tokyo");
		assertDone(post("report", "{'action':'delete'}"));
		assertProblem(this.application.get("jobs/recurring/report"), 404, "NOT_FOUND", "recurring job 'report'");
	}

	@Test
	void pauseIsKeptWithWhoAndWhy() {
		assertDone(post("yearly", "{'action':'pause','who':'ann','why':'The books are closed'}"));
		JsonNode pause = this.application.get("jobs/recurring/yearly").body().path("recurring").path("pause");
		assertThat(pause.path("who").asString()).isEqualTo("ann");
		assertThat(pause.path("why").asString()).isEqualTo("The books are closed");
		assertThat(Instant.parse(pause.path("since").asString())).isBefore(Instant.now().plusSeconds(60));
		assertProblem(post("yearly", "{'action':'pause','who':'bob','why':'Me too'}"), 409, "ALREADY_PAUSED",
				"by ann, The books are closed");
		Response resumed = post("yearly", "{'action':'resume'}");
		assertThat(resumed.body().path("recurring").path("status").asString()).isEqualTo("ACTIVE");
		Response again = post("yearly", "{'action':'resume'}");
		assertThat(again.status()).isEqualTo(409);
		assertThat(again.body().path("reason").asString()).isEqualTo("NOT_PAUSED");
	}

	@Test
	void triggerEnqueuesUnlessOverlapForbidsIt() {
		assertDone(post("busy", "{'action':'create','job':'MailJobs.hold','cron':'@yearly'}"));
		Response triggered = post("busy", "{'action':'trigger'}");
		assertDone(triggered);
		String id = triggered.body().path("job").asString();
		assertThat(id).hasSize(24);
		assertProblem(post("busy", "{'action':'trigger'}"), 409, "OVERLAP", id);
		this.application.bean(ActuatorApplication.MailJobs.class).goOn.countDown();
		await().until(() -> post("busy", "{'action':'trigger'}").status() == 200);
	}

	@Test
	void requestThatMakesNoSenseIsRefused() {
		assertProblem(post("r", "{'action':'create','every':'1m'}"), 400, "BAD_REQUEST", "'job' is missing");
		assertProblem(post("r", "{'action':'create','job':'MailJobs.other'}"), 400, "BAD_REQUEST",
				"neither 'cron' nor 'every' is set");
		assertProblem(post("r", "{'action':'create','job':'MailJobs.other','cron':'0 0 3 * *'}"), 400, "BAD_REQUEST",
				"is not a cron expression");
		assertProblem(post("r", "{'action':'create','job':'MailJobs.send','every':'1m'}"), 400, "BAD_REQUEST",
				"but a tick has no arguments");
		assertProblem(post("yearly", "{'action':'pause'}"), 400, "BAD_REQUEST", "'why' is missing");
		assertProblem(post("yearly", "{'action':'explode'}"), 400, "BAD_REQUEST",
				"must be one of [create, change, delete, pause, resume, trigger]");
	}

	@Test
	void requestForWhatIsNotThereIsNotFound() {
		for (String action : new String[] { "delete", "resume", "trigger" }) {
			assertProblem(post("none", "{'action':'" + action + "'}"), 404, "NOT_FOUND", "recurring job 'none'");
		}
		assertProblem(post("none", "{'action':'change','job':'MailJobs.other','every':'1m'}"), 404, "NOT_FOUND",
				"recurring job 'none'");
		assertProblem(post("none", "{'action':'pause','why':'x'}"), 404, "NOT_FOUND", "recurring job 'none'");
	}

	@Test
	void requestThatMeetsAnotherDefinitionIsAConflict() {
		assertProblem(post("yearly", "{'action':'create','job':'MailJobs.other','every':'1m'}"), 409, "EXISTS",
				"There is a recurring job 'yearly' already");
		assertProblem(post("yearly", "{'action':'change','job':'MailJobs.other','every':'1m'}"), 409, "DECLARED",
				"is declared by an annotation");
		assertProblem(post("yearly", "{'action':'delete'}"), 409, "DECLARED", "or pause it");
	}

	private Response post(String name, String body) {
		return this.application.post("jobs/recurring/" + name, body);
	}

	private static void assertDone(Response response) {
		assertThat(response.status()).as(response.message()).isEqualTo(200);
	}

	private static void assertProblem(Response response, int status, String reason, String message) {
		assertThat(response.status()).as(response.message()).isEqualTo(status);
		assertThat(response.body().path("reason").asString()).isEqualTo(reason);
		assertThat(response.message()).contains(message);
	}

}

package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobQuery;
import io.github.steadyjobs.dashboard.PageRequest.Answer;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.core.HashOperations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ListPage} and {@link BulkAction}.
 */
@RedisTest
class ListPageIntegrationTests {

	private static DashboardFixture dashboard;

	private final TestRedis redis;

	ListPageIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@BeforeAll
	static void start(TestRedis redis) {
		dashboard = DashboardFixture.start(redis);
	}

	@AfterAll
	static void stop() {
		dashboard.close();
	}

	@BeforeEach
	void registerQueues() {
		// The client registers a queue only once, but each test begins without keys.
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "mail", "letters");
		dashboard.bean(Samples.class).expire();
	}

	@Test
	void listShowsTheJobsOfAPlace() {
		String id = dashboard.client().enqueue(send("ada").tags("vip")).id();
		dashboard.client().enqueue(send("bob").queue("letters").after(Duration.ofHours(1)));
		Answer answer = dashboard.get("list").send();
		assertThat(answer.text("h1")).isEqualTo("Jobs");
		assertThat(answer.text("#jobs tbody")).contains("MailJobs.send " + id, "[\"ada\"]", "vip", "mail")
			.doesNotContain("bob");
		assertThat(answer.link("#jobs tbody th a")).isEqualTo("job?id=" + id);
		assertThat(answer.text("#jobs .panel-head p")).startsWith("One job");
		assertThat(answer.page().select("#places a").eachText()).containsExactly("Waiting 1", "Running 0",
				"Scheduled 1", "Retries 0", "Parked 0", "Suspects 0", "Dead 0");
		assertThat(answer.text("#places [aria-current]")).isEqualTo("Waiting 1");
		Answer scheduled = dashboard.get(answer.link("#places a:contains(Scheduled)")).send();
		assertThat(scheduled.text("#jobs tbody")).contains("bob", "letters").doesNotContain("\"ada\"");
	}

	@ParameterizedTest
	@EnumSource(JobPlace.class)
	void listOfAnEmptyPlaceSaysWhatWouldBeThere(JobPlace place) {
		Answer answer = dashboard.get("list?place=" + Visit.text(place)).send();
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.text("#jobs .empty")).contains("No ");
		assertThat(answer.page().select("#jobs a[data-dialog]")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "queue=letters, cyd", "name=MailJobs.send*, ada bob cyd", "name=Mail*.fail, dan", "tag=vip, ada",
			"text=%22bob%22, bob", "queue=mail&text=%22dan, dan", "name=Nothing, ''" })
	void filterFindsJobs(String filter, String found) {
		dashboard.client().enqueue(send("ada").tags("vip"));
		dashboard.client().enqueue(send("bob"));
		dashboard.client().enqueue(send("cyd").queue("letters"));
		dashboard.client().enqueue(JobRequest.named("MailJobs.fail", "dan"));
		Answer answer = dashboard.get("list?place=ready&" + filter).send();
		assertThat(answer.page().select("#jobs tbody code").eachText()).map((arguments) -> arguments.substring(2, 5))
			.containsExactlyInAnyOrder(found.isEmpty() ? new String[0] : found.split(" "));
		assertThat(answer.link("form.filter a")).isEqualTo("list?place=ready");
	}

	@Test
	void filterByTimeAndIdFindsJobs() {
		Instant due = Instant.now().plus(Duration.ofHours(5));
		String id = dashboard.client().enqueue(send("ada").at(due)).id();
		dashboard.client().enqueue(send("bob").after(Duration.ofHours(1)));
		String from = Format.time(due.minusSeconds(60), "field");
		Answer answer = dashboard.get("list?place=scheduled&from=" + from).send();
		assertThat(answer.text("#jobs tbody")).contains("ada").doesNotContain("bob");
		assertThat(answer.page().select("[name=from]").val()).isEqualTo(from);
		assertThat(dashboard.get("list?place=scheduled&to=" + from).send().text("#jobs tbody")).contains("bob")
			.doesNotContain("\"ada\"");
		assertThat(dashboard.get("list?place=scheduled&id=" + id.substring(0, 20)).send().text("#jobs tbody"))
			.contains(id);
	}

	@Test
	void filterByErrorFindsWhatFailedWithItAndChangesExactlyThat() {
		fail(send("ada"), "java.net.ConnectException");
		fail(send("bob"), "java.net.SocketTimeoutException");
		fail(send("cyd"), "java.io.IOException");
		kill(send("dan"));
		Answer list = dashboard.get("list?place=dead&error=java.net.*").send();
		assertThat(list.text("#jobs tbody")).contains("ada", "bob").doesNotContain("cyd", "dan");
		assertThat(list.page().select("[name=error]").val()).isEqualTo("java.net.*");
		assertThat(list.page().select("#error-classes option").eachAttr("value"))
			.containsExactly("java.net.ConnectException", "java.net.SocketTimeoutException");
		Answer question = dashboard.get(list.link("a[href^=retry-all]")).send();
		assertThat(question.text("form .facts")).isEqualTo("Place Dead Queue All queues Failed with java.net.* Jobs 2");
		assertThat(dashboard.submit(question).header("Location"))
			.isEqualTo("list?place=dead&error=java.net.*&notice=jobs-changed&count=2");
		assertThat(jobs(JobPlace.READY)).isEqualTo(2);
	}

	@Test
	void filterByErrorIsForJobsThatHaveFailed() {
		Answer dead = dashboard.get("list?place=dead&error=java.net.*&name=Mail*").send();
		assertThat(dead.link("#places a:contains(Retries)"))
			.isEqualTo("list?place=retries&name=Mail*&error=java.net.*");
		assertThat(dead.link("#places a:contains(Parked)")).isEqualTo("list?place=parked&name=Mail*");
		assertThat(dashboard.get("list?place=parked").send().page().select("[name=error]")).isEmpty();
		Answer refused = dashboard.get("list?place=parked&error=java.net.*").send();
		assertThat(refused.status()).isEqualTo(400);
		assertThat(refused.text(".failure")).contains("where jobs have not failed");
	}

	@Test
	void filterIsRepeatedHarmlessly() {
		String text = "\"><script>alert(1)</script>";
		Answer answer = dashboard.get("list").parameter("text", text).parameter("place", "dead").send();
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.page().select("[name=text]").val()).isEqualTo(text);
		assertThat(answer.page().select("main script")).isEmpty();
		assertThat(answer.text(".empty")).isEqualTo("No job was found that the filter asks for.");
	}

	@Test
	void listGoesOnWhereItEnded() {
		for (int i = 0; i < 60; i++) {
			kill(send("a" + i));
		}
		Answer first = dashboard.get("list?place=dead").send();
		assertThat(first.page().select("#jobs tbody tr")).hasSize(50);
		assertThat(first.header(DashboardServlet.READ_AT)).isNotNull();
		Answer second = dashboard.get(first.link("a[rel=next]")).send();
		assertThat(second.page().select("#jobs tbody tr")).hasSize(10);
		assertThat(second.page().select("#jobs tbody th small").eachText())
			.doesNotContainAnyElementsOf(first.page().select("#jobs tbody th small").eachText());
		assertThat(second.page().select("a[rel=next]")).isEmpty();
		assertThat(second.link(".pages a")).isEqualTo("list?place=dead");
		// Only the first page refreshes itself.
		assertThat(second.header(DashboardServlet.READ_AT)).isNull();
		assertThat(second.page().select("#live")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "place=nowhere", "place=dead&after=made-up", "place=ready&after=1", "from=yesterday",
			"place=dead&to=2026-02-31T00:00" })
	void badParameterIsRefused(String query) {
		Answer answer = dashboard.get("list?" + query).send();
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.text(".failure p:eq(1)")).hasSizeGreaterThan(10);
	}

	@Test
	void textIsNotSearchedForThoseWhoDoNotSeeValues() {
		dashboard.client().enqueue(send("swordfish"));
		try (DashboardFixture hidden = DashboardFixture.start(this.redis, "steadyjobs.dashboard.show-values=never")) {
			Answer list = hidden.get("list").send();
			assertThat(list.text("#jobs tbody")).contains("MailJobs.send", "******").doesNotContain("swordfish");
			assertThat(list.page().select("[name=text]")).isEmpty();
			assertThat(hidden.get("list?text=sword").send().status()).isEqualTo(403);
			assertThat(hidden.get("delete-all?text=sword").send().status()).isEqualTo(403);
			Map<String, Object> before = this.redis.contents();
			assertThat(hidden.post("delete-all?text=sword").send().status()).isEqualTo(403);
			assertThat(this.redis.contents()).isEqualTo(before);
		}
	}

	@Test
	void bulkRepeatsTheFilterAndTheCountAndChangesExactlyThat() {
		kill(send("ada"));
		kill(send("bob"));
		kill(send("ada").queue("letters"));
		Answer list = dashboard.get("list?place=dead&queue=mail&text=ada").send();
		Answer question = dashboard.get(list.link("a[href^=retry-all]")).send();
		assertThat(question.text("form h2")).isEqualTo("Retry one job");
		assertThat(question.text("form .facts")).isEqualTo("Place Dead Queue mail Text anywhere in the job ada Jobs 1");
		assertThat(question.text("form")).doesNotContain("cannot be undone");
		assertThat(question.link("[data-close]")).isEqualTo("list?place=dead&queue=mail&text=ada");
		Answer done = dashboard.submit(question);
		assertThat(done.status()).isEqualTo(303);
		assertThat(done.header("Location"))
			.isEqualTo("list?place=dead&queue=mail&text=ada&notice=jobs-changed&count=1");
		assertThat(dashboard.get(done.header("Location")).send().text("#notice")).isEqualTo("One job was changed.");
		assertThat(jobs(JobPlace.READY)).isEqualTo(1);
		assertThat(jobs(JobPlace.DEAD)).isEqualTo(2);
	}

	@ParameterizedTest
	@CsvSource({ "run-now-all, scheduled, READY", "kill-all, scheduled, DEAD", "retry-all, dead, READY" })
	void bulkMovesJobs(String action, String from, JobPlace to) {
		for (int i = 0; i < 150; i++) {
			JobRequest request = send("a" + i).after(Duration.ofHours(1));
			if (from.equals("dead")) {
				kill(request);
			}
			else {
				dashboard.client().enqueue(request);
			}
		}
		Answer answer = dashboard.submit(dashboard.get(action + "?place=" + from).send());
		while (answer.header("Location").startsWith(action)) {
			answer = dashboard.submit(dashboard.get(answer.header("Location")).send());
		}
		assertThat(answer.header("Location")).isEqualTo("list?place=" + from + "&notice=jobs-changed&count=150");
		assertThat(jobs(to)).isEqualTo(150);
	}

	@Test
	void bulkDeletesAfterAWarning() {
		kill(send("ada"));
		Answer question = dashboard.get("delete-all?place=dead").send();
		assertThat(question.text("form .danger-text")).isEqualTo("This cannot be undone.");
		dashboard.submit(question);
		assertThat(this.redis.contents("mail")).doesNotContainKeys("dead", "payloads");
	}

	@Test
	void bulkGoesOnWhereAnotherRequestEnded() {
		String address = "delete-all?place=dead&name=Mail*&after=1%20000000000000000000000000&done=40&refused=1"
				+ "&examined=50&total=200";
		Answer elsewhere = dashboard.get(address).header("Sec-Fetch-Site", "cross-site").send();
		assertThat(elsewhere.text("form .danger-text")).isEqualTo("This cannot be undone.");
		Answer unknown = dashboard.get(address).send();
		assertThat(unknown.page().select("#progress").attr("data-proceed")).isEqualTo("false");
		Answer progress = dashboard.get(address).header("Sec-Fetch-Site", "same-origin").send();
		assertThat(progress.page().select("#progress").attr("data-proceed")).isEqualTo("true");
		assertThat(progress.text(".figure")).isEqualTo("40 jobs are done");
		assertThat(progress.page().select("progress").attr("value")).isEqualTo("25");
		assertThat(progress.text("form")).contains("50 of about 200 jobs examined, one had changed meanwhile", "Mail*");
		assertThat(progress.link("form .buttons a"))
			.isEqualTo("list?place=dead&name=Mail*&notice=jobs-stopped&count=40&others=1");
		assertThat(dashboard.submit(progress).header("Location"))
			.isEqualTo("list?place=dead&name=Mail*&notice=jobs-changed&count=40&others=1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "retry-all?place=working", "retry-all?place=ready", "kill-all?place=dead",
			"run-now-all?place=dead", "delete-all?place=nowhere", "delete-all?place=dead&after=made-up",
			"delete-all?place=dead&done=many" })
	void bulkThatCannotBeIsRefused(String address) {
		kill(send("ada"));
		Map<String, Object> before = this.redis.contents();
		assertThat(dashboard.post(address).send().status()).isEqualTo(400);
		assertThat(this.redis.contents()).isEqualTo(before);
	}

	private static long jobs(JobPlace place) {
		return dashboard.bean(JobAdmin.class).count(JobQuery.of(place)).jobs();
	}

	private static void kill(JobRequest request) {
		String id = dashboard.client().enqueue(request).id();
		dashboard.bean(JobAdmin.class).change(JobAction.KILL, id);
	}

	/** Create a dead job in queue 'mail' whose last failure has the given class. */
	private void fail(JobRequest request, String errorClass) {
		String id = dashboard.client().enqueue(request).id();
		dashboard.bean(JobAdmin.class).change(JobAction.KILL, id);
		HashOperations<String, String, String> hashes = this.redis.template().opsForHash();
		String key = this.redis.key("mail", "payloads");
		String payload = hashes.get(key, id);
		hashes.put(key, id, payload.replaceFirst("}$", ",\"error_class\":\"" + errorClass + "\"}"));
	}

	private static JobRequest send(String to) {
		return JobRequest.named("MailJobs.send", to);
	}

}

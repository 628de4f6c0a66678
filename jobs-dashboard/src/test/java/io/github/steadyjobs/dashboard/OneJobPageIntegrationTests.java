package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobEntry;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobQuery;
import io.github.steadyjobs.dashboard.PageRequest.Answer;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OneJobPage} and the actions on a single job.
 */
@RedisTest
class OneJobPageIntegrationTests {

	private static final String FAILURES = """
			,"retry_count":1,"error_class":"java.net.ConnectException","error_message":"Connection refused",\
			"attempts":[{"at":1767225600000,"class":"java.io.IOException","message":"","process":"worker-1"},\
			{"at":1767225620000,"class":"java.net.ConnectException","message":"Connection refused by <b>ada</b>",\
			"process":"worker-2.1","ran":4}]}""";

	private static DashboardFixture dashboard;

	private static JobAdmin admin;

	private final TestRedis redis;

	OneJobPageIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@BeforeAll
	static void start(TestRedis redis) {
		dashboard = DashboardFixture.start(redis);
		admin = dashboard.bean(JobAdmin.class);
	}

	@AfterAll
	static void stop() {
		dashboard.close();
	}

	@BeforeEach
	void registerQueues() {
		// The client registers a queue only once, but each test begins without keys.
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "mail", "bills", "orders", "letters");
		dashboard.bean(Samples.class).expire();
	}

	@Test
	void jobShowsWhereItIsAndWhatIsStored() {
		String id = dashboard.client()
			.enqueue(JobRequest.named("MailJobs.send", "ada").tags("vip").meta("who", "ada"))
			.id();
		store(id, payload(id).replace("[\"ada\"]", "[{\"big\":9007199254740993,\"small\":1.10}]"));
		Answer answer = job(id);
		assertThat(answer.text("h1")).isEqualTo("MailJobs.send");
		assertThat(answer.text("#job-state .reason")).isEqualTo("Waiting No process serves queue mail");
		assertThat(answer.link("#job-state .reason a")).isEqualTo("queue?name=mail");
		assertThat(answer.text("#job-state p.quiet")).startsWith("Start a process");
		assertThat(answer.text("#job-facts")).contains(id, "mail", "vip", "ada");
		assertThat(answer.page().select("#job-payload pre").first().wholeText())
			.contains("\"class\": \"MailJobs.send\"", "\"big\": 9007199254740993", "\"small\": 1.10");
		assertThat(buttons(answer)).containsExactly("reschedule", "edit", "move", "kill", "delete");
	}

	@ParameterizedTest
	@CsvSource({ "scheduled, run-now reschedule edit move kill delete", "dead, retry reschedule edit move delete",
			"parked, run-now reschedule edit move kill delete" })
	void jobHasTheActionsOfItsPlace(String place, String actions) {
		String id = in(place);
		assertThat(buttons(job(id))).containsExactly(actions.split(" "));
	}

	@Test
	void jobThatIsUnknownIsNotFound() {
		for (String id : new String[] { "000000000000000000000000", "x", "<b>", "..%2F" }) {
			Answer answer = dashboard.get("job?id=" + id.replace("<b>", "%3Cb%3E")).send();
			assertThat(answer.status()).isEqualTo(404);
			assertThat(answer.text(".failure")).contains("There is no job");
			assertThat(answer.page().select(".failure b")).isEmpty();
		}
		assertThat(dashboard.get("job").send().status()).isEqualTo(400);
	}

	@Test
	void jobThatHasEndedSaysSoToThoseWhoWatchIt() {
		String id = in("scheduled");
		admin.change(JobAction.DELETE, id);
		Answer update = dashboard.get("job?id=" + id).live().send();
		assertThat(update.status()).isEqualTo(200);
		assertThat(update.text("#job-state")).contains("There is no job " + id, "It has ended or was deleted");
	}

	@Test
	void jobHidesValuesFromThoseWhoDoNotSeeThem() {
		String id = in("scheduled");
		try (DashboardFixture hidden = DashboardFixture.start(this.redis, "steadyjobs.dashboard.show-values=never")) {
			Answer answer = hidden.get("job?id=" + id).send();
			assertThat(answer.page().text()).doesNotContain("\"ada\"");
			assertThat(answer.text("#job-payload pre")).contains("MailJobs.send", "******");
			Answer edit = hidden.get("edit?id=" + id).send();
			assertThat(edit.status()).isEqualTo(403);
			assertThat(edit.text(".failure")).contains("Some of its values are hidden");
			String payload = payload(id);
			hidden.post("edit").parameter("id", id).parameter("place", "scheduled").parameter("arguments", "[]").send();
			assertThat(payload(id)).isEqualTo(payload);
		}
	}

	@Test
	void jobShowsItsLockAndThatIsReleased() {
		String id = dashboard.client().enqueue(JobRequest.named("ShopJobs.bill", "ada")).id();
		Answer answer = job(id);
		assertThat(answer.text("#job-lock")).contains("It has this lock", "until it");
		Answer question = dashboard.get(answer.link("#job-lock a[data-dialog]")).send();
		assertThat(question.text("form h2")).isEqualTo("Release the lock of job " + id);
		assertThat(dashboard.submit(question).header("Location")).startsWith("locks?queue=bills&notice=lock-released");
		assertThat(job(id).page().select("#job-lock")).isEmpty();
		assertThat(dashboard.submit(question).header("Location")).contains("notice=not-locked");
	}

	@ParameterizedTest
	@CsvSource({ "run-now, scheduled, READY", "run-now, parked, READY", "retry, dead, READY", "kill, scheduled, DEAD",
			"reschedule, dead, SCHEDULED" })
	void actionMovesTheJob(String action, String place, JobPlace to) {
		String id = in(place);
		Answer done = dashboard.submit(dashboard.get(action + "?id=" + id).send());
		assertThat(done.header("Location")).isEqualTo("job?id=" + id + "&notice=job-changed&count=0");
		assertThat(place(id)).isEqualTo(to);
		assertThat(dashboard.get(done.header("Location")).send().text("#notice")).isEqualTo("It is done.");
	}

	@Test
	void deleteDeletesTheJobAfterAWarning() {
		String id = in("dead");
		Answer question = dashboard.get("delete?id=" + id).send();
		assertThat(question.text("form")).contains("This cannot be undone.");
		assertThat(dashboard.submit(question).header("Location"))
			.isEqualTo("list?place=dead&queue=mail&notice=job-deleted&count=0");
		assertThat(admin.find(id)).isEmpty();
	}

	@Test
	void rescheduleSetsTheTime() {
		String id = in("scheduled");
		dashboard.submit(dashboard.get("reschedule?id=" + id).send(), "due", "2031-02-03T04:05:06");
		assertThat(admin.find(id).orElseThrow().job().time()).isEqualTo(Instant.parse("2031-02-03T04:05:06Z"));
		Answer refused = dashboard.submit(dashboard.get("reschedule?id=" + id).send(), "due", "soon");
		assertThat(refused.status()).isEqualTo(400);
		assertThat(refused.text("form .notice.bad")).contains("due must be a time");
	}

	@Test
	void moveMovesToAnotherQueue() {
		String id = in("scheduled");
		Answer question = dashboard.get("move?id=" + id).send();
		assertThat(question.page().select("datalist option").eachAttr("value")).contains("letters")
			.doesNotContain("mail");
		dashboard.submit(question, "to", "letters");
		assertThat(admin.find(id).orElseThrow().job().queue()).isEqualTo("letters");
		Answer refused = dashboard.submit(dashboard.get("move?id=" + id).send(), "to", "a b");
		assertThat(refused.status()).isEqualTo(400);
		assertThat(refused.page().select("[name=to]").val()).isEqualTo("a b");
	}

	@Test
	void editChangesTheArguments() {
		String id = dashboard.client().enqueue(JobRequest.named("ShopJobs.refund", 7, 1)).id();
		Answer question = dashboard.get("edit?id=" + id).send();
		assertThat(question.page().select("textarea").val()).isEqualTo("[\n  7,\n  1\n]");
		Answer done = dashboard.submit(question, "arguments", "[9007199254740993, 1.10]");
		assertThat(done.status()).isEqualTo(303);
		assertThat(payload(id)).contains("\"args\":[9007199254740993,1.10]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "[", "{}", "\"a\"", "[1e]", "[\"a\"] x" })
	void editOfWhatIsNoArrayAsksAgain(String arguments) {
		String id = in("scheduled");
		String payload = payload(id);
		Answer refused = dashboard.submit(dashboard.get("edit?id=" + id).send(), "arguments", arguments);
		assertThat(refused.status()).isEqualTo(400);
		assertThat(refused.text("form .notice.bad")).isNotEmpty();
		assertThat(payload(id)).isEqualTo(payload);
	}

	@Test
	void editOfControlCharactersKeepsThem() {
		String id = dashboard.client()
			.enqueue(JobRequest.named("MailJobs.send", "a\u0001b\n\u202e\"\\").after(Duration.ofHours(1)))
			.id();
		String payload = payload(id);
		Answer done = dashboard.submit(dashboard.get("edit?id=" + id).send());
		assertThat(done.status()).isEqualTo(303);
		assertThat(payload(id)).isEqualTo(payload);
	}

	@Test
	void secondOperatorIsToldWhatTheFirstDid() {
		String id = in("dead");
		Answer first = dashboard.get("retry?id=" + id).send();
		Answer second = dashboard.get("delete?id=" + id).send();
		dashboard.submit(first);
		Answer refused = dashboard.submit(second);
		assertThat(refused.status()).isEqualTo(409);
		assertThat(refused.text(".failure")).contains("in place Dead when you saw it and is in place Waiting now");
		assertThat(refused.link(".failure a")).isEqualTo("job?id=" + id);
		assertThat(place(id)).isEqualTo(JobPlace.READY);

		dashboard.submit(dashboard.get("delete?id=" + id).send());
		assertThat(dashboard.submit(first).status()).isEqualTo(404);
	}

	@Test
	void secondOperatorDoesNotOverwriteWhatTheFirstWrote() {
		String id = in("scheduled");
		Answer first = dashboard.get("edit?id=" + id).send();
		Answer second = dashboard.get("edit?id=" + id).send();
		dashboard.submit(first, "arguments", "[\"bob\"]");
		Answer refused = dashboard.submit(second, "arguments", "[\"cyd\"]");
		assertThat(refused.status()).isEqualTo(409);
		assertThat(refused.text(".failure")).contains("somebody has edited the job meanwhile");
		assertThat(payload(id)).contains("bob");
	}

	@ParameterizedTest
	@CsvSource({ "retry, scheduled", "run-now, dead", "cancel, scheduled", "kill, dead" })
	void actionOfAnotherPlaceIsRefused(String action, String place) {
		String id = in(place);
		assertThat(dashboard.get(action + "?id=" + id).send().status()).isEqualTo(409);
		Map<String, Object> before = this.redis.contents();
		Answer answer = dashboard.post(action + "?id=" + id + "&place=" + place).send();
		assertThat(answer.status()).isBetween(400, 409);
		assertThat(this.redis.contents()).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "run-now", "retry", "kill", "delete", "edit", "reschedule", "move", "cancel" })
	void actionOnAnUnknownJobIsNotFound(String action) {
		Map<String, Object> before = this.redis.contents();
		assertThat(dashboard.get(action + "?id=000000000000000000000000").send().status()).isEqualTo(404);
		assertThat(dashboard.post(action + "?id=000000000000000000000000&place=dead").send().status()).isEqualTo(404);
		assertThat(dashboard.post(action).send().status()).isEqualTo(400);
		assertThat(this.redis.contents()).isEqualTo(before);
	}

	@Test
	void payloadOfAnOrderedJobIsKilledAndRetried() {
		String key = dashboard.client()
			.enqueue(JobRequest.named("ShopJobs.ship", "o-7", 3).after(Duration.ofHours(1)))
			.id();
		assertThat(job(key).text("#job-facts")).contains("o-7");
		Answer killed = dashboard.submit(dashboard.get("kill?id=" + key).send());
		assertThat(killed.header("Location")).startsWith("list?place=scheduled&queue=orders&notice=job-changed");
		JobEntry dead = admin.page(JobQuery.of(JobPlace.DEAD)).jobs().get(0);
		Answer retried = dashboard.submit(dashboard.get("retry?id=" + dead.id()).send());
		assertThat(retried.header("Location")).startsWith("list?place=dead&queue=orders&notice=job-changed");
		assertThat(place(key)).isEqualTo(JobPlace.READY);
	}

	@Test
	void jobShowsItsLastFailuresTheLatestFirst() {
		String id = in("dead");
		store(id, payload(id).replaceFirst("}$", FAILURES));
		Answer answer = job(id);
		assertThat(answer.page().select("#job-failures tbody tr").eachText()).containsExactly(
				"2026-01-01 00:00:20 UTC java.net.ConnectException Connection refused by <b>ada</b> worker-2 4 ms",
				"2026-01-01 00:00:00 UTC java.io.IOException worker-1");
		assertThat(answer.page().select("#job-failures td b:not(.bad)")).isEmpty();
		assertThat(answer.link("#job-failure .panel-head a"))
			.isEqualTo("list?place=dead&error=java.net.ConnectException");
		admin.change(JobAction.RETRY, id);
		assertThat(job(id).page().select("#job-failures tbody tr")).hasSize(2);
		assertThat(job(id).page().select("#job-failure .panel-head a")).isEmpty();
		try (DashboardFixture hidden = DashboardFixture.start(this.redis, "steadyjobs.dashboard.show-values=never")) {
			Answer others = hidden.get("job?id=" + id).send();
			assertThat(others.text("#job-failures tbody tr:first-child"))
				.isEqualTo("2026-01-01 00:00:20 UTC java.net.ConnectException ****** worker-2 4 ms");
			assertThat(others.page().text()).doesNotContain("Connection refused");
		}
	}

	@Test
	void jobThatHasNeverFailedHasNoFailures() {
		assertThat(job(in("scheduled")).page().select("#job-failures")).isEmpty();
	}

	@Test
	void payloadThatCannotBeReadIsShownAsItIs() {
		String id = in("dead");
		store(id, "{\"<b>no JSON</b>");
		Answer answer = job(id);
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.text("h1")).isEqualTo("Unreadable");
		assertThat(answer.text("#job-payload pre")).contains("<b>no JSON</b>");
		assertThat(answer.page().select("main pre b")).isEmpty();
		assertThat(dashboard.get("edit?id=" + id).send().status()).isEqualTo(409);
		dashboard.submit(dashboard.get("delete?id=" + id).send());
		assertThat(admin.find(id)).isEmpty();
	}

	/** Create a job in the given place, and return its id. */
	private static String in(String place) {
		JobRequest request = JobRequest.named("MailJobs.send", "ada").after(Duration.ofHours(1));
		String id = dashboard.client().enqueue(request).id();
		switch (place) {
			case "dead" -> admin.change(JobAction.KILL, id);
			case "parked" -> park(id);
			default -> {
			}
		}
		assertThat(place(id)).isEqualTo(JobPlace.valueOf(place.toUpperCase(Locale.ROOT)));
		return id;
	}

	private static void park(String id) {
		admin.change(JobAction.RUN_NOW, id);
		dashboard.bean(JobPauses.class).pauseJob("MailJobs.send", "ada", "a test");
		Launcher workers = dashboard.bean(Launcher.class);
		workers.start();
		Awaitility.await().until(() -> place(id) == JobPlace.PARKED);
		workers.stop();
	}

	private static JobPlace place(String id) {
		return admin.find(id).orElseThrow().job().place();
	}

	/** Return the stored payload of a job in the queue mail. */
	private String payload(String id) {
		return this.redis.template().<String, String>opsForHash().get(this.redis.key("mail", "payloads"), id);
	}

	private void store(String id, String payload) {
		this.redis.template().opsForHash().put(this.redis.key("mail", "payloads"), id, payload);
	}

	private static Answer job(String id) {
		return dashboard.get("job?id=" + id).send();
	}

	private static List<String> buttons(Answer answer) {
		return answer.page()
			.select("#job-state .buttons a")
			.eachAttr("href")
			.stream()
			.map((address) -> address.replaceFirst("\\?.*", ""))
			.toList();
	}

}

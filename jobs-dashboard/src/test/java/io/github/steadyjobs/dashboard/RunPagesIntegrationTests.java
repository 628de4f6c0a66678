package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.admin.JobProcesses;
import io.github.steadyjobs.dashboard.PageRequest.Answer;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RunningPage}, {@link NamesPage}, {@link NamePage} and the actions on a
 * run.
 */
@RedisTest
class RunPagesIntegrationTests {

	private final TestRedis redis;

	private final DashboardFixture dashboard;

	RunPagesIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.dashboard = DashboardFixture.start(redis, "steadyjobs.liveness.beat=100ms");
	}

	@BeforeEach
	void startWorkers() {
		this.dashboard.bean(Launcher.class).start();
	}

	@AfterEach
	void stopWorkers() {
		this.dashboard.bean(ShopJobs.class).end();
		this.dashboard.bean(Launcher.class).stop();
		this.dashboard.close();
	}

	@Test
	void runningShowsWhoRunsWhatSinceWhen() {
		String id = run();
		Answer answer = this.dashboard.get("running").send();
		assertThat(answer.text("#running .panel-head")).startsWith("One job runs · 1 taken by workers");
		assertThat(answer.text("#running tbody")).contains("ShopJobs.hold " + id, "reports", "Stack…", "Cancel…");
		assertThat(answer.page().select("#running tbody time")).hasSize(1);
		assertThat(answer.link("#running tbody th a")).isEqualTo("job?id=" + id);
		assertThat(this.dashboard.get("running?name=MailJobs.send").send().text("#running .empty"))
			.isEqualTo("Nothing runs at this moment.");
		assertThat(this.dashboard.get("running?queue=reports").send().page().select("#running tbody tr")).hasSize(1);
	}

	@Test
	void stackOfOneRunIsShown() {
		run();
		Answer running = this.dashboard.get("running").send();
		Answer question = this.dashboard.get(running.link("#running .actions a:contains(Stack)")).send();
		Answer sent = this.dashboard.submit(question);
		assertThat(sent.header("Location")).startsWith("dump?process=").contains("&worker=jobs-");
		Awaitility.await()
			.until(() -> !this.dashboard.get(sent.header("Location")).send().page().select("#dump pre").isEmpty());
		Answer dump = this.dashboard.get(sent.header("Location")).send();
		assertThat(dump.text("#dump pre")).startsWith("\"jobs-").contains("ShopJobs.hold").doesNotContain("\"main\"");
		assertThat(this.dashboard.get(dump.link(".links a")).send().text("#dump pre")).contains("ShopJobs.hold",
				"Finalizer");
	}

	@Test
	void jobThatRunsSaysWhere() {
		Answer answer = this.dashboard.get("job?id=" + run()).send();
		assertThat(answer.text("#job-state .reason")).startsWith("Running It runs in process");
		assertThat(answer.link("#job-state .reason a")).startsWith("processes");
		assertThat(answer.text("#job-run")).contains("Began", "Attempt 1", "Stack…");
		assertThat(answer.page().select("#job-state .buttons a").eachText()).containsExactly("Cancel…");
	}

	@Test
	void jobThatRunsIsCancelledAndInterrupted() {
		String id = run();
		Answer question = this.dashboard.get("cancel?id=" + id).send();
		assertThat(question.text("form")).contains("This cannot be undone.", "Interrupt its thread");
		Answer done = this.dashboard.submit(question, "interrupt", "yes");
		assertThat(done.header("Location")).isEqualTo("running?notice=job-cancelled&count=0");
		assertThat(this.dashboard.get("activity").send().text("#activity tbody th")).isEqualTo("cancel job " + id);
		Awaitility.await().until(() -> this.dashboard.bean(JobAdmin.class).find(id).isEmpty());
		assertThat(this.dashboard.submit(question).status()).isEqualTo(404);
	}

	@Test
	void cancelAnswersABadChoiceWithTheQuestion() {
		String id = run();
		Map<String, Object> before = this.redis.contents("reports");
		Answer refused = this.dashboard.submit(this.dashboard.get("cancel?id=" + id).send(), "interrupt", "maybe");
		assertThat(refused.status()).isEqualTo(400);
		assertThat(refused.text("form .notice.bad")).contains("interrupt must be one of no, yes");
		assertThat(this.redis.contents("reports"))
			.containsAllEntriesOf(Map.of("payloads", before.get("payloads"), "working", before.get("working")));
	}

	@Test
	void namesShowsWhatHasRunInAnOrder() {
		PastRuns past = new PastRuns(this.dashboard.bean(RedisConnections.class), this.redis.prefix());
		past.add(Instant.now().minus(Duration.ofMinutes(5)), 100, 7);
		past.add(Instant.now().minus(Duration.ofHours(5)), 100, 7);
		Answer hour = this.dashboard.get("names").send();
		assertThat(hour.text("#names tbody th")).isEqualTo("MailJobs.send");
		assertThat(hour.page().select("#names tbody .number").eachText()).startsWith("100", "7 7.0 %");
		assertThat(hour.page().select("#names .share rect").attr("width")).isEqualTo("100%");
		assertThat(hour.page().select("#names [aria-current]").eachText()).containsExactly("Hour", "Most time");
		Answer day = this.dashboard.get(hour.link("#names a:contains(Day)")).send();
		assertThat(day.page().select("#names tbody .number").eachText()).startsWith("200");
		assertThat(hour.link("#names tbody th a")).isEqualTo("name?name=MailJobs.send&period=hour");
	}

	@ParameterizedTest
	@CsvSource({ "period=quarter", "period=week", "sort=name" })
	void namesInAnotherOrderAreRefused(String query) {
		assertThat(this.dashboard.get("names?" + query).send().status()).isEqualTo(400);
	}

	@Test
	void namesWithoutAnySaysSo() {
		assertThat(this.dashboard.get("names").send().text(".empty")).contains("Nothing has run in this time");
	}

	@Test
	void nameShowsRunsTimesAndWhatRuns() {
		PastRuns past = new PastRuns(this.dashboard.bean(RedisConnections.class), this.redis.prefix());
		past.add(Instant.now().minus(Duration.ofMinutes(5)), 100, 7);
		Answer answer = this.dashboard.get("name?name=MailJobs.send").send();
		assertThat(answer.text("h1")).isEqualTo("MailJobs.send");
		assertThat(answer.text("#throughput .figures")).contains("Runs 100", "Failed 7");
		assertThat(
				answer.page().select(".histogram tbody .number").eachText().stream().mapToInt(Integer::parseInt).sum())
			.isEqualTo(100);
		assertThat(answer.page().select(".histogram rect").eachAttr("width")).contains("100%");
		assertThat(answer.text("#name-running .empty")).isEqualTo("No job of this name is running.");
		assertThat(answer.link("#name-state .links a:contains(Dead)")).isEqualTo("list?place=dead&name=MailJobs.send");
		run();
		assertThat(this.dashboard.get("name?name=ShopJobs.hold").send().page().select("#name-running tbody tr"))
			.hasSize(1);
	}

	@Test
	void nameIsPausedAndResumed() {
		Answer name = this.dashboard.get("name?name=MailJobs.send").send();
		Answer question = this.dashboard.get(name.link("#name-state a[data-dialog]")).send();
		this.dashboard.submit(question, "why", "Wrong letters");
		assertThat(this.dashboard.bean(JobPauses.class).list()).extracting((pause) -> pause.name())
			.containsExactly("MailJobs.send");
		Answer paused = this.dashboard.get("name?name=MailJobs.send").send();
		assertThat(paused.text("#name-state .notice")).contains("Wrong letters");
		this.dashboard.submit(this.dashboard.get(paused.link("#name-state a[data-dialog]")).send());
		assertThat(this.dashboard.bean(JobPauses.class).list()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "%3Cscript%3Ealert(1)%3C/script%3E", "a/b%23c", "%E2%80%AE" })
	void nameThatNothingHasIsShownHarmlessly(String name) {
		Answer answer = this.dashboard.get("name?name=" + name).send();
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.page().select("main script")).isEmpty();
		assertThat(answer.text("#throughput .empty")).isEqualTo("Nothing has run in this time.");
		assertThat(answer.text("h1")).doesNotContain("\u202e");
	}

	/** Start a job that runs until the end of the test, and return its id. */
	private String run() {
		String id = this.dashboard.client().enqueue(JobRequest.named("ShopJobs.hold", "x")).id();
		Awaitility.await()
			.until(() -> this.dashboard.bean(JobProcesses.class)
				.list()
				.stream()
				.anyMatch((process) -> process.running().stream().anyMatch((run) -> run.id().equals(id))));
		this.dashboard.bean(Samples.class).expire();
		return id;
	}

}

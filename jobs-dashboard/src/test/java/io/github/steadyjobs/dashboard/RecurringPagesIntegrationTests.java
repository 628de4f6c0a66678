package io.github.steadyjobs.dashboard;

import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobQuery;
import io.github.steadyjobs.admin.JobsActor;
import io.github.steadyjobs.dashboard.PageRequest.Answer;
import io.github.steadyjobs.recurring.RecurringJob;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.recurring.RecurringState.Status;
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
 * Tests for {@link RecurringPage}, {@link OneRecurringPage} and the actions on recurring
 * jobs.
 */
@RedisTest
class RecurringPagesIntegrationTests {

	private static final String NIGHTLY = "ShopJobs.nightly";

	private final DashboardFixture dashboard;

	private final RecurringJobs jobs;

	RecurringPagesIntegrationTests(TestRedis redis) {
		this.dashboard = DashboardFixture.start(redis, "steadyjobs.liveness.beat=100ms");
		this.jobs = this.dashboard.bean(RecurringJobs.class);
	}

	@BeforeEach
	void startWorkers() {
		this.dashboard.bean(Launcher.class).start();
		Awaitility.await().until(() -> this.jobs.find(NIGHTLY).isPresent());
		this.dashboard.bean(Samples.class).expire();
	}

	@AfterEach
	void stopWorkers() {
		this.dashboard.bean(Launcher.class).stop();
		this.dashboard.close();
	}

	@Test
	void recurringShowsScheduleAndNextTime() {
		Answer answer = this.dashboard.get("recurring").send();
		assertThat(answer.page().select("#recurring tbody th a").eachText()).containsExactly(NIGHTLY);
		assertThat(answer.text("#recurring tbody")).contains("0 0 3 * * *", "Europe/Berlin", "Run now…");
		assertThat(answer.page().select("#recurring tbody time")).hasSize(1);
		assertThat(answer.link("#recurring tbody th a")).isEqualTo("recurring-job?name=" + NIGHTLY);
	}

	@Test
	void recurringJobShowsNextTimesAndWhereItComesFrom() {
		Answer answer = this.dashboard.get("recurring-job?name=" + NIGHTLY).send();
		assertThat(answer.text("#recurring-state .reason")).isEqualTo("active It runs at its times.");
		assertThat(answer.page().select("#recurring-times time")).hasSize(5);
		assertThat(answer.text("#recurring-definition")).contains("@Recurring in the code",
				"steadyjobs.recurring." + NIGHTLY, "One job runs for all of them", "It makes no job", "reports");
		assertThat(answer.page().select("#recurring-state .buttons a").eachText()).containsExactly("Run now…",
				"Pause…");
	}

	@Test
	void triggerEnqueuesItsJob() {
		this.dashboard.bean(JobPauses.class).pauseQueue("reports", "ada", "a test");
		Answer done = this.dashboard.submit(this.dashboard.get("trigger?name=" + NIGHTLY).send());
		String id = this.dashboard.bean(JobAdmin.class)
			.page(JobQuery.of(JobPlace.READY).queue("reports"))
			.jobs()
			.get(0)
			.id();
		assertThat(done.header("Location")).isEqualTo("job?id=" + id + "&notice=triggered&count=0");
		Answer again = this.dashboard.submit(this.dashboard.get("trigger?name=" + NIGHTLY).send());
		assertThat(again.status()).isEqualTo(409);
		assertThat(again.text(".failure")).contains(id, "has not ended");
		assertThat(again.link(".failure a")).isEqualTo("job?id=" + id);
	}

	@Test
	void recurringJobIsPausedAndResumed() {
		Answer question = this.dashboard.get("pause-recurring?name=" + NIGHTLY).send();
		Answer paused = this.dashboard.submit(question, "why", "The printer is broken");
		assertThat(paused.header("Location")).isEqualTo("recurring-job?name=" + NIGHTLY + "&notice=paused&count=0");
		assertThat(this.jobs.find(NIGHTLY).orElseThrow().status()).isEqualTo(Status.PAUSED);
		Answer page = this.dashboard.get(paused.header("Location")).send();
		assertThat(page.text("#recurring-state")).contains("paused", this.dashboard.bean(JobsActor.class).name(),
				"The printer is broken");
		Answer again = this.dashboard.submit(question, "why", "Me too");
		assertThat(again.header("Location")).contains("notice=already-paused");
		Answer resume = this.dashboard.get("resume-recurring?name=" + NIGHTLY).send();
		assertThat(this.dashboard.submit(resume).header("Location")).contains("notice=resumed");
		assertThat(this.jobs.find(NIGHTLY).orElseThrow().status()).isEqualTo(Status.ACTIVE);
		assertThat(this.dashboard.submit(resume).header("Location")).contains("notice=not-paused");
		Answer refused = this.dashboard.submit(question, "why", " ");
		assertThat(refused.status()).isEqualTo(400);
		assertThat(refused.text("form .notice.bad")).contains("why is missing");
	}

	@Test
	void recurringJobIsCreatedChangedAndDeleted() {
		Answer form = this.dashboard.get("create-recurring").send();
		assertThat(form.page().select("[name=name]").hasAttr("required")).isTrue();
		assertThat(form.page().select("[name=cron]").hasAttr("required")).isFalse();
		Answer created = this.dashboard.submit(form, "name", "often", "job", NIGHTLY, "every", "10m", "missed", "skip");
		assertThat(created.header("Location")).isEqualTo("recurring-job?name=often&notice=recurring-created&count=0");
		Answer page = this.dashboard.get(created.header("Location")).send();
		assertThat(page.text("#recurring-definition")).contains("every 10 min", "None of them runs",
				"RecurringJobs.create");

		Answer change = this.dashboard.get(page.link("a[href^=change-recurring]")).send();
		assertThat(change.page().select("[name=every]").val()).isEqualTo("PT10M");
		assertThat(change.page().select("option[selected]").eachAttr("value")).containsExactly("skip", "skip");
		Answer changed = this.dashboard.submit(change, "every", "", "cron", "0 0 4 * * *", "zone", "Europe/Paris");
		assertThat(changed.header("Location")).contains("notice=recurring-changed");
		RecurringJob job = this.jobs.find("often").orElseThrow().job();
		assertThat(job.schedule().cron()).isEqualTo("0 0 4 * * *");
		assertThat(job.schedule().zone().getId()).isEqualTo("Europe/Paris");
		Answer second = this.dashboard.submit(change, "every", "1h");
		assertThat(second.status()).isEqualTo(409);
		assertThat(second.text(".failure")).contains("somebody has changed the recurring job meanwhile");

		Answer deleted = this.dashboard.submit(this.dashboard.get("delete-recurring?name=often").send());
		assertThat(deleted.header("Location")).isEqualTo("recurring?notice=recurring-deleted&count=0");
		assertThat(this.jobs.find("often")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "cron, 0 3 * * *", "cron, <script>", "every, soon", "zone, Nowhere", "from, yesterday", "jitter, -1s",
			"at-most, 7", "missed, never", "name, a b", "job, a b", "queue, a/b" })
	void badFieldAsksAgainWithWhatWasFilledIn(String field, String value) {
		Answer form = this.dashboard.get("create-recurring").send();
		String cron = field.equals("every") ? "" : "0 0 3 * * *";
		Answer filled = this.dashboard.submit(form, "name", "often", "job", NIGHTLY, "cron", cron, field, value);
		assertThat(filled.status()).isEqualTo(400);
		assertThat(filled.text("form .notice.bad")).isNotEmpty();
		if (!field.equals("missed")) {
			assertThat(filled.page().select("[name=" + field + "]").val()).isEqualTo(value);
		}
		assertThat(filled.page().select("main script")).isEmpty();
		assertThat(this.jobs.list()).hasSize(1);
	}

	@Test
	void recurringJobThatIsThereIsNotCreated() {
		Answer form = this.dashboard.get("create-recurring").send();
		Answer refused = this.dashboard.submit(form, "name", NIGHTLY, "job", NIGHTLY, "every", "1h");
		assertThat(refused.status()).isEqualTo(409);
		assertThat(refused.text(".failure")).contains(NIGHTLY);
	}

	@Test
	void recurringJobOfTheCodeIsNeitherChangedNorDeleted() {
		Answer deleted = this.dashboard.submit(this.dashboard.get("delete-recurring?name=" + NIGHTLY).send());
		assertThat(deleted.status()).isEqualTo(409);
		assertThat(deleted.text(".failure")).contains("is declared by an annotation");
		Answer form = this.dashboard.get("change-recurring?name=" + NIGHTLY).send();
		assertThat(this.dashboard.submit(form, "cron", "0 0 4 * * *").status()).isEqualTo(409);
		assertThat(this.jobs.find(NIGHTLY).orElseThrow().job().schedule().cron()).isEqualTo("0 0 3 * * *");
	}

	@ParameterizedTest
	@ValueSource(strings = { "recurring-job", "trigger", "pause-recurring", "resume-recurring", "delete-recurring",
			"change-recurring" })
	void recurringJobThatIsUnknownIsNotFound(String page) {
		Answer answer = this.dashboard.get(page + "?name=%3Cb%3E").send();
		assertThat(answer.status()).isEqualTo(404);
		assertThat(answer.text(".failure")).contains("There is no recurring job <b>");
		assertThat(this.dashboard.get(page).send().status()).isEqualTo(400);
	}

}

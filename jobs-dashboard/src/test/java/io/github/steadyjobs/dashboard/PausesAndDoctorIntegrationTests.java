package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;

import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.dashboard.PageRequest.Answer;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PausesPage}, {@link DoctorPage} and pauses of jobs.
 */
@RedisTest
class PausesAndDoctorIntegrationTests {

	private final TestRedis redis;

	private final DashboardFixture dashboard;

	private final JobPauses pauses;

	PausesAndDoctorIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.dashboard = DashboardFixture.start(redis, "steadyjobs.doctor.severity.persistence=off",
				"steadyjobs.doctor.severity.round-trip=off", "steadyjobs.doctor.severity.memory=off");
		this.pauses = this.dashboard.bean(JobPauses.class);
	}

	@AfterEach
	void close() {
		this.dashboard.close();
	}

	@Test
	void pausesWithoutAnySaysHowToMakeOne() {
		Answer answer = this.dashboard.get("pauses").send();
		assertThat(answer.text(".empty")).contains("Nothing is paused. A queue is paused on its page");
		assertThat(answer.link("main .buttons a")).isEqualTo("pause");
	}

	@Test
	void pausesShowsWhoHasPausedWhatAndWhy() {
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "mail");
		this.pauses.pauseQueue("mail", "ada", "The relay is down", Instant.now().plus(Duration.ofHours(1)));
		this.pauses.pauseJob("Mail/send", "bob", "Wrong letters");
		Answer answer = this.dashboard.get("pauses").send();
		assertThat(answer.page().select("tbody th").eachText()).containsExactly("queue mail", "job Mail/send");
		assertThat(answer.page().select("td[data-label=Why]").eachText()).containsExactly("The relay is down",
				"Wrong letters");
		assertThat(answer.page().select("td[data-label=Paused by]").eachText()).containsExactly("ada", "bob");
		assertThat(answer.text("tr:eq(1) td[data-label=Until]")).isEqualTo("somebody resumes it");
		assertThat(answer.page().select("tbody td a").eachAttr("href")).containsExactly("resume?kind=queue&name=mail",
				"resume?kind=job&name=Mail%2Fsend");
	}

	@Test
	void jobIsPausedAndResumed() {
		Answer paused = this.dashboard.post("pause").parameter("job", "Mail/send").parameter("why", "Wrong").send();
		assertThat(paused.header("Location")).isEqualTo("pauses?notice=paused&count=0");
		Answer question = this.dashboard.get("resume?kind=job&name=Mail%2Fsend").send();
		assertThat(question.text("form h2")).isEqualTo("Resume job Mail/send");
		Answer resumed = this.dashboard.post("resume")
			.parameter("kind", "job")
			.parameter("name", "Mail/send")
			.parameter("version", question.page().select("[name=version]").attr("value"))
			.send();
		assertThat(resumed.header("Location")).isEqualTo("pauses?notice=resumed&count=0");
		assertThat(this.pauses.list()).isEmpty();
		assertThat(this.dashboard.get("resume?kind=job&name=Mail%2Fsend").send().status()).isEqualTo(404);
	}

	@Test
	void nameThatNoJobCanHaveIsRefused() {
		Answer answer = this.dashboard.post("pause").parameter("job", "a b").parameter("why", "x").send();
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.text(".notice.bad")).contains("Job 'a b' must be");
	}

	@Test
	void doctorShowsWhatIsAllRight() {
		Answer answer = this.dashboard.get("doctor").send();
		assertThat(answer.text("#findings")).startsWith("The doctor has found nothing.");
		assertThat(answer.page().select(".checks li").eachText()).hasSize(7)
			.contains("Redis does not drop keys when its memory is full");
	}

	@Test
	void doctorShowsWhatIsWrongAndWhatToDo() {
		this.pauses.pauseJob("Mail.send", "bob", "Wrong letters");
		Answer answer = this.dashboard.get("doctor").send();
		assertThat(answer.text("#findings li")).startsWith("Note")
			.contains("Queues or jobs are paused", "steadyjobs.doctor.severity.pauses");
		assertThat(answer.link("#findings a")).isEqualTo("pauses");
	}

	@Test
	void doctorThatIsSwitchedOffHasNoPage(TestRedis redis) {
		try (DashboardFixture without = DashboardFixture.start(redis, "steadyjobs.doctor.enabled=false")) {
			assertThat(without.get("doctor").send().status()).isEqualTo(404);
			Answer overview = without.get("").send();
			assertThat(overview.page().select("nav a").eachText()).doesNotContain("Doctor");
			assertThat(overview.status()).isEqualTo(200);
		}
	}

}

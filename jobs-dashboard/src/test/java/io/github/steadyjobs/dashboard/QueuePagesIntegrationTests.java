package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.util.Map;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.admin.JobsActor;
import io.github.steadyjobs.dashboard.PageRequest.Answer;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link QueuesPage}, {@link QueuePage} and the actions on queues.
 */
@RedisTest
class QueuePagesIntegrationTests {

	private static DashboardFixture dashboard;

	private final TestRedis redis;

	QueuePagesIntegrationTests(TestRedis redis) {
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
	void registerQueue() {
		// The client registers a queue only once, but each test begins without keys.
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "mail", "bills");
		dashboard.bean(Samples.class).expire();
	}

	@Test
	@DisplayName("LK-43: sizes and lags of all queues")
	void queuesShowsEachQueueWithWhatItHolds() {
		enqueue(3);
		dashboard.client().enqueue(send("later").after(Duration.ofHours(1)));
		Answer answer = dashboard.get("queues").send();
		assertThat(answer.page().select("tbody tr th").eachText()).containsExactly("bills", "mail");
		assertThat(answer.link("tbody tr:eq(1) a")).isEqualTo("queue?name=mail");
		assertThat(answer.text("tbody tr:eq(1) td[data-label=Waiting]")).isEqualTo("3");
		assertThat(answer.text("tbody tr:eq(1) td[data-label=Scheduled]")).isEqualTo("1");
		assertThat(answer.page().select("tbody tr:eq(1) .share rect").attr("width")).isEqualTo("100%");
		assertThat(answer.page().select("tbody tr:eq(0) td:not(.none)")).isEmpty();
	}

	@Test
	void queuesWithoutAnySaysHowToMakeOne() {
		this.redis.clear();
		assertThat(dashboard.get("queues").send().text(".empty")).contains("Enqueue a job with JobClient");
	}

	@Test
	void queueShowsHowManyJobsAreWhere() {
		enqueue(2);
		Answer answer = dashboard.get("queue?name=mail").send();
		assertThat(answer.text("h1")).isEqualTo("Queue mail");
		assertThat(answer.page().select(".places tbody th").eachText()).containsExactly("Waiting", "Running",
				"Scheduled", "Retries", "Parked", "Suspects", "Dead");
		assertThat(answer.page().select(".places td.number").eachText()).containsExactly("2", "0", "0", "0", "0", "0",
				"0");
		assertThat(answer.text("#queue-servers .empty")).contains("No process serves this queue");
		assertThat(answer.text("#queue-running .empty")).contains("No job of this queue is running");
		assertThat(answer.text("#queue-dead .empty")).contains("No job of this queue has died");
	}

	@Test
	void queueShowsTheLatestDeadJobs() {
		kill("swordfish");
		Answer answer = dashboard.get("queue?name=mail").send();
		assertThat(answer.text("#queue-dead tbody th")).startsWith("MailJobs.send");
		assertThat(answer.page().select("#queue-dead tbody time")).hasSize(1);
	}

	@Test
	void queueOfThatNameIsUnknown() {
		Answer answer = dashboard.get("queue?name=nothing").send();
		assertThat(answer.status()).isEqualTo(404);
		assertThat(answer.text(".failure")).contains("No queue is called nothing.");
	}

	@Test
	void pauseAsksWhyAndForHowLong() {
		Answer answer = dashboard.get("pause?queue=mail").send();
		assertThat(answer.text("form h2")).isEqualTo("Pause queue mail");
		assertThat(answer.page().select("form").attr("action")).isEqualTo("pause");
		assertThat(answer.page().select("[name=queue]").attr("value")).isEqualTo("mail");
		assertThat(answer.page().select("[name=why]").hasAttr("required")).isTrue();
		assertThat(answer.page().select("option").eachText()).startsWith("Until somebody resumes it", "10 minutes");
		assertThat(answer.link("[data-close]")).isEqualTo("queue?name=mail");
		assertThat(pauses().list()).isEmpty();
	}

	@Test
	void pausePausesAndResumeResumes() {
		Answer paused = dashboard.post("pause")
			.parameter("queue", "mail")
			.parameter("why", "The relay is down")
			.parameter("length", "one-hour")
			.send();
		assertThat(paused.status()).isEqualTo(303);
		assertThat(paused.header("Location")).isEqualTo("queue?name=mail&notice=paused&count=0");
		assertThat(pauses().list()).singleElement().satisfies((pause) -> {
			assertThat(pause.name()).isEqualTo("mail");
			assertThat(pause.who()).isEqualTo(who());
			assertThat(pause.why()).isEqualTo("The relay is down");
			assertThat(Duration.between(pause.since(), pause.until())).isBetween(Duration.ofMinutes(59),
					Duration.ofMinutes(61));
		});
		Answer queue = dashboard.get(paused.header("Location")).send();
		assertThat(queue.text("#notice")).isEqualTo("It is paused now.");
		assertThat(queue.text("#queue-state .notice")).contains("Paused by " + who(), "The relay is down");
		assertThat(dashboard.get("queues").send().text(".tag")).isEqualTo("paused");

		String resume = queue.link("#queue-state a[data-dialog]");
		Answer question = dashboard.get(resume).send();
		assertThat(question.text("form p")).contains("It was paused by " + who() + ": The relay is down");
		Answer resumed = dashboard.submit(question);
		assertThat(resumed.header("Location")).isEqualTo("queue?name=mail&notice=resumed&count=0");
		assertThat(pauses().list()).isEmpty();
	}

	@Test
	void secondOperatorIsToldThatItIsPausedAlready() {
		pauses().pauseQueue("mail", "ada", "The relay is down");
		Answer answer = dashboard.post("pause").parameter("queue", "mail").parameter("why", "Me too").send();
		assertThat(answer.header("Location")).isEqualTo("queue?name=mail&notice=already-paused&count=0");
		Answer queue = dashboard.get(answer.header("Location")).send();
		assertThat(queue.text("#notice")).contains("Nothing was done", "somebody had paused it already");
		assertThat(queue.text("#queue-state .notice")).contains("Paused by ada", "The relay is down");
	}

	@Test
	void secondOperatorDoesNotEndAnotherPauseThanTheySaw() {
		pauses().pauseQueue("mail", "ada", "The relay is down");
		Answer question = dashboard.get("resume?kind=queue&name=mail").send();
		pauses().resumeQueue("mail");
		pauses().pauseQueue("mail", "bob", "Wrong letters");
		assertThat(dashboard.submit(question).header("Location")).contains("notice=pause-replaced");
		assertThat(pauses().list()).extracting((pause) -> pause.who()).containsExactly("bob");
		pauses().resumeQueue("mail");
		assertThat(dashboard.submit(question).header("Location")).contains("notice=not-paused");
	}

	@Test
	void pauseOfAnUnknownQueueIsRefused() {
		Answer answer = dashboard.post("pause").parameter("queue", "nothing").parameter("why", "x").send();
		assertThat(answer.status()).isEqualTo(404);
		assertThat(pauses().list()).isEmpty();
	}

	@Test
	void pauseWithoutAReasonOrWithABadOneIsRefused() {
		assertThat(dashboard.post("pause").parameter("queue", "mail").send().text(".notice.bad"))
			.contains("The parameter why is missing");
		Answer answer = dashboard.post("pause").parameter("queue", "mail").parameter("why", "x".repeat(1001)).send();
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.text(".notice.bad")).contains("'why' must be 1 to 1000 characters");
		assertThat(answer.page().select("[name=why]").attr("value")).hasSize(1001);
		assertThat(pauses().list()).isEmpty();
	}

	@Test
	void purgeRepeatsWhatAndHowMany() {
		enqueue(3);
		Answer queue = dashboard.get("queue?name=mail").send();
		assertThat(queue.page().select(".places a[data-dialog]").eachAttr("href"))
			.containsExactly("purge?queue=mail&place=ready");
		Answer question = dashboard.get("purge?queue=mail&place=ready").send();
		assertThat(question.text("form h2")).isEqualTo("Delete all waiting jobs of queue mail");
		assertThat(question.text("form p")).contains("These are 3 jobs now", "This cannot be undone.");
		assertThat(question.text("form button")).isEqualTo("Delete 3 jobs");
		assertThat(this.redis.contents("mail")).containsKey("ready");

		Answer purged = dashboard.submit(question);
		assertThat(purged.header("Location")).isEqualTo("queue?name=mail&notice=purged&count=3");
		assertThat(this.redis.contents("mail")).doesNotContainKeys("ready", "payloads");
		Answer after = dashboard.get(purged.header("Location")).send();
		assertThat(after.text("#notice")).isEqualTo("3 jobs were deleted.");
		assertThat(after.text(".places tr:eq(0) .number")).isEqualTo("0");
	}

	@Test
	void purgeOfRunningJobsIsRefused() {
		Map<String, Object> before = this.redis.contents();
		assertThat(dashboard.get("purge?queue=mail&place=working").send().status()).isEqualTo(400);
		Answer answer = dashboard.post("purge?queue=mail&place=working").send();
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.text(".failure")).contains("Jobs that run cannot be deleted");
		assertThat(this.redis.contents()).isEqualTo(before);
	}

	private void enqueue(int number) {
		for (int i = 0; i < number; i++) {
			assertThat(dashboard.client().enqueue(send("a" + i)).accepted()).isTrue();
		}
	}

	private static void kill(String argument) {
		String id = dashboard.client().enqueue(send(argument)).id();
		dashboard.bean(JobAdmin.class).change(JobAction.KILL, id);
	}

	private static JobRequest send(String to) {
		return JobRequest.named("MailJobs.send", to);
	}

	private static JobPauses pauses() {
		return dashboard.bean(JobPauses.class);
	}

	private static String who() {
		return dashboard.bean(JobsActor.class).name();
	}

}

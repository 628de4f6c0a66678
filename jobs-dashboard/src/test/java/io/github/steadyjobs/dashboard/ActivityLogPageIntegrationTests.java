package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.activity.OperatorChange;
import io.github.steadyjobs.admin.JobActivity;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.admin.JobsActor;
import io.github.steadyjobs.dashboard.PageRequest.Answer;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ActivityLogPage}, and for what actions record.
 */
@RedisTest
class ActivityLogPageIntegrationTests {

	private final TestRedis redis;

	private final DashboardFixture dashboard;

	ActivityLogPageIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.dashboard = DashboardFixture.start(redis, "spring.application.name=shop");
	}

	@AfterEach
	void close() {
		this.dashboard.close();
	}

	@Test
	void activityWithoutAnySaysWhatWouldBeThere() {
		Answer answer = this.dashboard.get("activity").send();
		assertThat(answer.text(".empty")).startsWith("Nobody has changed anything yet.");
		assertThat(answer.page().select("nav [aria-current=page]").text()).isEqualTo("Activity");
	}

	@Test
	void actionIsRecordedWithTheNameOfTheLogin() {
		String id = this.dashboard.client().enqueue(JobRequest.named("MailJobs.send", "a")).id();
		PageRequest delete = this.dashboard.post("delete").parameter("id", id).parameter("place", "ready");
		delete.raw().setUserPrincipal(() -> "ada <b>");
		assertThat(delete.send().status()).isEqualTo(303);
		Element row = row(1);
		assertThat(row.select("th").text()).isEqualTo("delete job " + id + " name MailJobs.send queue mail");
		assertThat(row.select("th a").eachAttr("href")).containsExactly("job?id=" + id, "queue?name=mail");
		assertThat(row.select("td").eachText().subList(0, 2)).containsExactly("ada <b>", "1");
	}

	@Test
	void actionWithoutALoginIsRecordedWithTheNameOfTheApplication() {
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "mail");
		this.dashboard.post("pause").parameter("queue", "mail").parameter("why", "The relay is down").send();
		assertThat(row(1).select("td").first().text()).startsWith("shop@");
		assertThat(this.dashboard.bean(JobPauses.class).list()).singleElement()
			.satisfies((pause) -> assertThat(pause.who()).startsWith("shop@"));
	}

	@Test
	void changeOfManyJobsIsOneEntryWithItsFilter() {
		for (int i = 0; i < 700; i++) {
			this.dashboard.client().enqueue(JobRequest.named("MailJobs.send", "a" + i).after(Duration.ofHours(1)));
		}
		Answer page = this.dashboard.get("delete-all?place=scheduled&name=MailJobs.*").send();
		Answer answer = this.dashboard.submit(page);
		while (answer.header("Location").startsWith("delete-all")) {
			answer = this.dashboard.submit(this.dashboard.get(answer.header("Location")).send());
		}
		assertThat(this.dashboard.get("activity").send().page().select("#activity tbody tr")).hasSize(1);
		assertThat(row(1).select("th").text()).isEqualTo("delete place scheduled name MailJobs.*");
		assertThat(row(1).select("td.number").text()).isEqualTo("700");
	}

	@Test
	void endOfAPauseIsShownInTheZoneOfTheViewerUnlessItIsHidden() {
		Instant end = Instant.now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);
		this.dashboard.bean(JobPauses.class).pauseJob("MailJobs.send", "ada", "x", end);
		assertThat(row(1).select("th time").attr("datetime")).isEqualTo(end.toString());
		this.dashboard.bean(JobActivity.class)
			.changed(OperatorChange.of("pause", "x", "queue", "mail", "until", "******"));
		assertThat(row(1).select("th").text()).endsWith("until ******");
	}

	@Test
	void refusedActionIsNotRecorded() {
		this.dashboard.post("pause").parameter("queue", "unknown").parameter("why", "x").send();
		assertThat(this.dashboard.get("activity").send().page().select("#activity tbody tr")).isEmpty();
	}

	@Test
	void pagesOfFiftyFollowEachOther() {
		JobsActor actor = this.dashboard.bean(JobsActor.class);
		JobPauses pauses = this.dashboard.bean(JobPauses.class);
		for (int i = 0; i < 60; i++) {
			String job = "MailJobs.job" + i;
			actor.as("ada", () -> pauses.pauseJob(job, "ada", "x"));
		}
		Answer first = this.dashboard.get("activity").send();
		assertThat(first.page().select("#activity tbody tr")).hasSize(50);
		assertThat(row(1).select("th").text()).contains("MailJobs.job59");
		Answer second = this.dashboard.get(first.link("[rel=next]")).send();
		assertThat(second.page().select("#activity tbody tr")).hasSize(10);
		assertThat(second.page().select("[rel=next]")).isEmpty();
		assertThat(second.page().select("#live")).isEmpty();
	}

	@Test
	void cursorThatNoPageHasIsRefused() {
		Answer answer = this.dashboard.get("activity?after=x").send();
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.text(".notice.bad, .failure")).contains("'after' must be 'next' of the previous page");
	}

	@Test
	void keyOfAnOrderedJobIsHiddenFromThoseWhoSeeNoValues() {
		this.dashboard.bean(JobActivity.class)
			.changed(OperatorChange.of("revive", "x", "name", "ShopJobs.ship", "key", "secret-1"));
		assertThat(row(1).select("th").text()).contains("key secret-1");
		try (DashboardFixture blind = DashboardFixture.start(this.redis, "steadyjobs.dashboard.show-values=never")) {
			assertThat(blind.get("activity").send().text("#activity")).contains("key ******").doesNotContain("secret");
		}
	}

	private Element row(int number) {
		return this.dashboard.get("activity").send().page().select("#activity tbody tr").get(number - 1);
	}

}

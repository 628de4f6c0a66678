package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.dashboard.PageRequest.Answer;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OverviewPage}.
 */
@RedisTest
class OverviewPageIntegrationTests {

	private final TestRedis redis;

	private final DashboardFixture dashboard;

	OverviewPageIntegrationTests(TestRedis redis) {
		this.redis = redis;
		// Start a new application each time, because an application keeps samples.
		this.dashboard = DashboardFixture.start(redis, "steadyjobs.doctor.severity.persistence=off");
	}

	@AfterEach
	void close() {
		this.dashboard.close();
	}

	@Test
	void overviewOfNothingIsFineAndSaysWhatWouldBeHere() {
		Answer answer = this.dashboard.get("").send();
		assertThat(answer.text("#concerns")).startsWith("Everything is all right.");
		assertThat(answer.page().select(".tiles dd").eachText()).containsExactly("0", "0 of 0", "0", "0", "0", "0");
		assertThat(answer.page().select(".empty").eachText()).hasSize(3)
			.anyMatch((text) -> text.contains("Enqueue a job with JobClient"))
			.anyMatch((text) -> text.contains("An application that has a bean with @Job"));
	}

	@Test
	void overviewSaysWhatIsWrongFirst() {
		this.dashboard.client().enqueue(JobRequest.named("MailJobs.send", "a"));
		Answer answer = this.dashboard.get("").send();
		assertThat(answer.page().select("main > :is(section, dl)").eachAttr("id")).containsExactly("concerns", "totals",
				"throughput", "queues", "processes");
		assertThat(answer.page().select("#concerns .level").eachText()).containsExactly("Problem");
		assertThat(answer.text("#concerns li")).contains("Jobs wait, and there is no process to run them");
		assertThat(answer.text("#totals div:eq(0)")).isEqualTo("Waiting 1");
	}

	@Test
	void overviewShowsTheBusiestQueuesByName() {
		for (int i = 10; i < 25; i++) {
			this.dashboard.client().enqueue(JobRequest.named("MailJobs.send", "a").queue("q" + i));
		}
		for (String queue : new String[] { "q24", "q11" }) {
			this.dashboard.client().enqueue(JobRequest.named("MailJobs.send", "a").queue(queue));
		}
		Answer answer = this.dashboard.get("").send();
		assertThat(answer.page().select("#queues tbody th").eachText()).hasSize(12)
			.isSorted()
			.contains("q11", "q24")
			.doesNotContain("q22");
		assertThat(answer.text("#queues .panel-head a")).isEqualTo("All 15 queues");
	}

	@ParameterizedTest
	@CsvSource({ "hour, 10, 2", "day, 30, 6", "quarter, 150, 30" })
	void overviewShowsWhatHasRun(String period, int runs, int failed) {
		Instant now = Instant.now();
		PastRuns past = new PastRuns(this.redis.connections(), this.redis.prefix());
		past.add(now, 10, 2);
		past.add(now.minus(Duration.ofHours(2)), 20, 4);
		past.add(now.minus(Duration.ofDays(3)), 120, 24);
		past.mark(now.minusSeconds(60), "shop 1.4.2");
		Answer answer = this.dashboard.get("?period=" + period).send();
		assertThat(answer.text("#throughput .tabs [aria-current]")).isNotEmpty();
		assertThat(answer.text(".figures div:eq(0) dd")).isEqualTo(Integer.toString(runs));
		assertThat(answer.text(".figures div:eq(1) dd")).startsWith(failed + " 20 %");
		assertThat(answer.page().select(".chart svg").attr("aria-label"))
			.contains("%d, of which %d failed".formatted(runs, failed));
		assertThat(answer.page().select(".chart rect.done")).hasSizeBetween(1, 3);
		assertThat(answer.page().select(".chart .mark")).hasSize(1);
		assertThat(answer.text(".legend .mark")).contains("shop 1.4.2");
		assertThat(answer.page().select(".chart-table tbody tr")).hasSameSizeAs(answer.page().select(".chart g"));
	}

	@Test
	void overviewIsMadeOfWhatIsKeptForAllViewers() {
		this.dashboard.client().enqueue(JobRequest.named("MailJobs.send", "a"));
		Answer first = this.dashboard.get("").send();
		this.dashboard.client().enqueue(JobRequest.named("MailJobs.send", "a"));
		Answer second = this.dashboard.get("").send();
		assertThat(second.text("#totals div:eq(0)")).isEqualTo(first.text("#totals div:eq(0)"));
	}

}

package io.github.steadyjobs.test;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.boot.JobsAutoConfiguration;
import io.github.steadyjobs.boot.JobsRecurringAutoConfiguration;
import io.github.steadyjobs.definition.JobDefinitionException;
import io.github.steadyjobs.recurring.RecurringJob;
import io.github.steadyjobs.recurring.Schedule;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.support.StaticApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RecurringCheck}.
 */
class RecurringCheckTests {

	private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

	@Test
	void runsNextAtWhenTheseAreTheTimesPasses() {
		RecurringCheck nightly = RecurringCheck.of(Reports.class).job("nightly");
		nightly.after("2026-03-28T02:00:00Z")
			.runsNextAt("2026-03-29T03:00:00+02:00[Europe/Berlin]", "2026-03-30T01:00:00Z");
		nightly.after("2026-10-24T03:00:00+02:00").runsNextAt("2026-10-25T03:00:00+01:00");
	}

	@Test
	void runsNextAtWhenJobRunsOtherwiseTellsItsTimes() {
		RecurringCheck nightly = RecurringCheck.of(Reports.class).job("nightly").after("2026-10-24T12:00:00Z");
		assertFails(() -> nightly.runsNextAt("2026-10-25T01:00:00Z"),
				"Recurring job 'nightly' (cron '0 0 3 * * *' in Europe/Berlin) does not run at these times",
				"next after 2026-10-24T14:00+02:00[Europe/Berlin]", "2026-10-25T02:00+01:00[Europe/Berlin]", "but at",
				"2026-10-25T03:00+01:00[Europe/Berlin]");
		assertFails(() -> nightly.runsNextAt("2026-10-25T02:00:00Z", "2026-10-25T03:00:00Z"), "2026-10-26T03:00+01:00");
	}

	@Test
	void runsNextAtWhenJobHasEndedSaysSo() {
		assertFails(() -> RecurringCheck.of(Reports.class)
			.job("summer")
			.after("2026-08-31T23:00:00Z")
			.runsNextAt("2026-09-01T00:00:00Z"), "no time, as it has ended");
	}

	@Test
	void runsNextAtWhenTicksHaveJitterCountsThemWithout() {
		RecurringJob job = RecurringJob.of("moved", "Reports.moved", "default",
				Schedule.cron("0 0 * * * *", BERLIN).jitter(Duration.ofMinutes(5)));
		RecurringCheck.of(job).after("2026-01-01T00:00:00Z").runsNextAt("2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z");
	}

	@Test
	void runsNextAtWhenTimeHasNoOffsetRefusesIt() {
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> RecurringCheck.of(Reports.class).after("2026-01-01T00:00:00"))
			.withMessageContaining("'2026-01-01T00:00:00' is no time with an offset or zone");
	}

	@Test
	void neverRunsMoreOftenThanEveryWhenNoneDoesPasses() {
		RecurringCheck.of(Reports.class).neverRunsMoreOftenThanEvery(Duration.ofMinutes(10));
	}

	@Test
	void neverRunsMoreOftenThanEveryWhenSomeDoNamesEachOfThem() {
		RecurringCheck all = RecurringCheck.of(Reports.class).after("2026-01-01T00:00:00Z");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> all.neverRunsMoreOftenThanEvery(Duration.ofHours(1)))
			.withMessageContainingAll("Recurring job 'Reports.sweep' (every PT10M) runs more often than every PT1H: at",
					"and PT10M later at", "Recurring job 'summer'")
			.satisfies((error) -> assertThat(error.getMessage()).doesNotContain("nightly"));
	}

	@Test
	void neverRunsMoreOftenThanEveryWhenClocksGoForwardSeesTheShorterHour() {
		RecurringJob hourly = RecurringJob.of("hourly", "Reports.hourly", "default",
				Schedule.cron("0 45 * * * *", BERLIN));
		assertFails(
				() -> RecurringCheck.of(hourly)
					.after("2026-01-01T00:00:00Z")
					.neverRunsMoreOftenThanEvery(Duration.ofMinutes(16)),
				"PT15M later at", "2026-03-29T03:00+02:00[Europe/Berlin]");
	}

	@Test
	void neverRunsMoreOftenThanEveryWhenManyTicksComeBeforeClocksChangeSeesThatToo() {
		RecurringJob often = RecurringJob.of("often", "Reports.often", "default",
				Schedule.cron("30 * * * * *", BERLIN));
		assertFails(
				() -> RecurringCheck.of(often)
					.after("2026-04-01T00:00:00Z")
					.neverRunsMoreOftenThanEvery(Duration.ofMinutes(1)),
				"PT30S later at", "2027-03-28T03:00+02:00[Europe/Berlin]");
		RecurringCheck.of(often).neverRunsMoreOftenThanEvery(Duration.ofSeconds(30));
	}

	@Test
	void neverRunsMoreOftenThanEveryWhenTicksHaveJitterCountsThemWithIt() {
		RecurringJob job = RecurringJob.of("moved", "Reports.moved", "default",
				Schedule.every(Duration.ofMinutes(10)).jitter(Duration.ofMinutes(2)));
		RecurringCheck.of(job).neverRunsMoreOftenThanEvery(Duration.ofMinutes(8));
		assertFails(() -> RecurringCheck.of(job).neverRunsMoreOftenThanEvery(Duration.ofMinutes(10)),
				"every PT10M with jitter PT2M", "later at");
	}

	@Test
	void neverRunsMoreOftenThanEveryWhenItNeverRunsAgainPasses() {
		RecurringJob ended = RecurringJob.of("ended", "Reports.ended", "default",
				Schedule.every(Duration.ofMinutes(1)).until(Instant.EPOCH));
		RecurringCheck.of(ended).neverRunsMoreOftenThanEvery(Duration.ofHours(1));
	}

	@Test
	void ofWhenClassIsTheJobReadsItsAnnotations() {
		RecurringCheck.of(CleanupHeir.class)
			.job("CleanupHeir")
			.after("2026-01-01T00:00:00Z")
			.runsNextAt("2026-01-02T00:00:00Z");
	}

	@Test
	void ofWhenApplicationWouldNotStartThrowsWhatIsWrong() {
		assertThatExceptionOfType(JobDefinitionException.class).isThrownBy(() -> RecurringCheck.of(Wrong.class))
			.withMessageContaining("is @Recurring under the name 'Wrong.sweep'");
	}

	@Test
	void ofWhenThereIsNoRecurringJobFails() {
		assertFails(() -> RecurringCheck.of(NotRecurring.class), "There is no recurring job");
		assertFails(() -> RecurringCheck.of(Reports.class).job("weekly"),
				"There is no recurring job 'weekly', or it is switched off. Known are: [Reports.sweep, nightly, summer]");
	}

	@Test
	void inWhenConfigurationOverridesTakesThatWithoutWorkersAndRedis() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
					JobsRecurringAutoConfiguration.class))
			.withPropertyValues("steadyjobs.worker.enabled=false", "reports.cron=0 0 4 * * *",
					"steadyjobs.recurring.Reports.sweep.every=30m", "steadyjobs.recurring.summer.cron=-")
			.withUserConfiguration(Reports.class)
			.run((context) -> {
				RecurringCheck all = RecurringCheck.in(context).after("2026-01-01T00:00:00Z");
				all.neverRunsMoreOftenThanEvery(Duration.ofMinutes(30));
				all.job("nightly").runsNextAt("2026-01-01T04:00:00+01:00");
				assertFails(() -> all.job("summer"), "it is switched off. Known are: [Reports.sweep, nightly]");
			});
	}

	@Test
	void inWhenContextHasNoJobsSaysWhatIsMissing() {
		assertFails(() -> RecurringCheck.in(new StaticApplicationContext()), "The context has no RecurringSettings");
	}

	private static void assertFails(Runnable check, String... texts) {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(check::run).withMessageContainingAll(texts);
	}

	static class Reports {

		@Job
		@Recurring(name = "nightly", cron = "${reports.cron:0 0 3 * * *}", zone = "Europe/Berlin")
		@Recurring(name = "summer", cron = "0 */30 * * * *", from = "2026-06-01", until = "2026-08-31")
		@Recurring(name = "off", cron = Recurring.OFF)
		void report() {
		}

		@Job
		@Recurring(every = "10m")
		void sweep() {
		}

	}

	abstract static class Cleanup {

		public void perform() {
		}

	}

	@Job
	@Idempotent
	@Recurring(cron = "@daily")
	static class CleanupHeir extends Cleanup {

	}

	static class Wrong {

		@Job
		@Recurring(cron = "0 0 25 * * *")
		void sweep() {
		}

	}

	static class NotRecurring {

		@Job
		void sweep() {
		}

	}

}
